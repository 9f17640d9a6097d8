import { FenceError, fencedWrite } from 'hustings/lease/fence';

await fencedWrite('report.txt', 'by the new leader', { name: 'billing-cron', token: 8n });
try {
  await fencedWrite('report.txt', 'by the old leader, late', { name: 'billing-cron', token: 7n });
} catch (error) {
  if (!(error instanceof FenceError)) throw error;
  console.log(error.refusal, '-', error.message);
}
