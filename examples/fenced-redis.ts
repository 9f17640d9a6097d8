import { fencedRedis } from 'hustings/lease/fence';
import { Redis } from 'ioredis';

const redis = new Redis(process.env.REDIS_URL ?? 'redis://127.0.0.1');
const key = 'billing-cron:fence'; // stores the newest token

await fencedRedis(redis, { key, token: 8n }, ['SET', 'billing-cron:state', 'by the new leader']);
await fencedRedis(redis, { key, token: 7n }, ['SET', 'billing-cron:state', 'late']).catch((error) =>
  console.log(error.refusal),
);
console.log(await redis.get('billing-cron:state'));
redis.disconnect();
