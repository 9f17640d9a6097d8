import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../../../../test/source/source-file.ts';
import { temporaryFolder } from '../../../../test-kit/command.ts';
import { runProcess } from '../../../../test-kit/limits/child-process.ts';
import { describeWith } from '../../../../test-kit/programs/describe-with.ts';
import { programPath } from '../../../../test-kit/programs/programs.ts';

const RULES = join(ROOT, 'kits/prometheus/hustings.rules.yaml');

/** Two minutes of a healthy election, then one in which the leader is gone and a candidate hangs. */
const SCENARIO = `
rule_files: ['${RULES}']
evaluation_interval: 15s
tests:
  - interval: 15s
    input_series:
      - series: hustings_is_leader{election="jobs",candidate="a"}
        values: 1x8 0x40
      - series: hustings_is_leader{election="jobs",candidate="b"}
        values: 0x48
      # All replicas of this election are gone after two minutes, and with them its series.
      - series: hustings_is_leader{election="gone",candidate="a"}
        values: 1x8 stale
      - series: hustings_is_leader{election="gone",candidate="b"}
        values: 0x8 stale
      - series: hustings_is_leader{election="split",candidate="a"}
        values: 1x48
      - series: hustings_is_leader{election="split",candidate="b"}
        values: 1x48
      - series: hustings_slots{election="split",candidate="a"}
        values: 1x48
      - series: hustings_slots{election="split",candidate="b"}
        values: 1x48
      # Two of three lead, as they should.
      - series: hustings_is_leader{election="pair",candidate="a"}
        values: 1x48
      - series: hustings_is_leader{election="pair",candidate="b"}
        values: 1x48
      - series: hustings_is_leader{election="pair",candidate="c"}
        values: 0x48
      - series: hustings_slots{election="pair",candidate="a"}
        values: 2x48
      - series: hustings_slots{election="pair",candidate="b"}
        values: 2x48
      - series: hustings_slots{election="pair",candidate="c"}
        values: 2x48
      # Three of two slots.
      - series: hustings_is_leader{election="many",candidate="a"}
        values: 1x48
      - series: hustings_is_leader{election="many",candidate="b"}
        values: 1x48
      - series: hustings_is_leader{election="many",candidate="c"}
        values: 1x48
      - series: hustings_slots{election="many",candidate="a"}
        values: 2x48
      - series: hustings_stands{election="jobs",candidate="a"}
        values: 1x8 0x40
      - series: hustings_overdue_seconds{election="jobs",candidate="a"}
        values: 0x8 15x40
      - series: hustings_tick_ahead_seconds{election="nightly",candidate="a"}
        values: 0x8 86400x40
      - series: hustings_fence_rejections_total{election="jobs",candidate="a"}
        values: 0x20 1x28
    alert_rule_test:
      - { eval_time: 2m, alertname: HustingsNoLeader, exp_alerts: [] }
      - { eval_time: 2m, alertname: HustingsWorkOverdue, exp_alerts: [] }
      - { eval_time: 2m, alertname: HustingsFenceRejection, exp_alerts: [] }
      - { eval_time: 2m, alertname: HustingsTickAhead, exp_alerts: [] }
      - eval_time: 4m
        alertname: HustingsTickAhead
        exp_alerts:
          - exp_labels: { severity: warning, election: nightly, candidate: a }
            exp_annotations:
              summary: The schedule nightly stands still until a tick of the future.
              description: A clock that was ahead has recorded it. Set the clocks of the store's servers right, then run hustings ticks NAME --reset.
      - eval_time: 4m
        alertname: HustingsNoLeader
        exp_alerts:
          - exp_labels: { severity: critical, election: jobs }
            exp_annotations:
              summary: Nobody leads jobs.
              description: &nobody No candidate has led for a minute, or none is scraped any more. Look at the replicas, then at the store, then at hustings_stands.
          - exp_labels: { severity: critical, election: gone }
            exp_annotations:
              summary: Nobody leads gone.
              description: *nobody
      - eval_time: 4m
        alertname: HustingsTooManyLeaders
        exp_alerts:
          - exp_labels: { severity: critical, election: split }
            exp_annotations:
              summary: More candidates claim to lead split than it has slots.
              description: &many Candidates with different stores share the name of the election, or a clock runs slow. Compare their stores.
          - exp_labels: { severity: critical, election: many }
            exp_annotations:
              summary: More candidates claim to lead many than it has slots.
              description: *many
      - eval_time: 4m
        alertname: HustingsWorkOverdue
        exp_alerts:
          - exp_labels: { severity: critical, election: jobs, candidate: a }
            exp_annotations:
              summary: a still works for jobs, after its lease.
              description: The work ignores its signal, so two leaders may be at work. Restart the process.
      - eval_time: 8m
        alertname: HustingsNotStanding
        exp_alerts:
          - exp_labels: { severity: warning, election: jobs, candidate: a }
            exp_annotations:
              summary: a takes no part in jobs.
              description: The process runs, and neither leads nor waits. Its campaign has ended, or its work does not return.
      - eval_time: 8m
        alertname: HustingsFenceRejection
        exp_alerts:
          - exp_labels: { severity: warning, election: jobs, candidate: a }
            exp_annotations:
              summary: A fence refused a write of a for jobs.
              description: A leader wrote after its term. The fence has prevented harm; find out why the work did not stop.
  # Nothing was ever scraped.
  - interval: 15s
    input_series:
      - series: up{job="billing"}
        values: 0x48
    alert_rule_test:
      - { eval_time: 4m, alertname: HustingsNoMetrics, exp_alerts: [] }
      - eval_time: 6m
        alertname: HustingsNoMetrics
        exp_alerts:
          - exp_labels: { severity: critical }
            exp_annotations:
              summary: Prometheus scrapes no candidate of any election.
              description: All replicas are gone, or none is a target. Without their metrics no other alert of this file can fire.
`;

await describeWith('promtool', 'the alert rules, by promtool', () => {
  const folder = temporaryFolder();
  const promtool = (...args: string[]) => runProcess(programPath('promtool')!, args);

  it('are valid', () => {
    const { status, stdout, stderr } = promtool('check', 'rules', RULES);
    expect(status, stdout + stderr).toBe(0);
  });

  it('fire when they should, and not before', () => {
    const file = join(folder.path, 'scenario.yaml');
    writeFileSync(file, SCENARIO);
    const { status, stdout, stderr } = promtool('test', 'rules', file);
    expect(status, stdout + stderr).toBe(0);
  });
});
