import { formatStep } from '@hustings/study/driver';
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { placeOf } from '../../model/run/branch-link.ts';
import { type Job, JobCancelled, startJob } from '../../workers/job.ts';
import type { ReachabilityReply, ReachabilityRequest } from '../../workers/reachability-worker.ts';
import { Button } from '../shell/button.tsx';
import { setup } from '../shell/router.ts';
import type { RunStore } from './run-store.ts';

function openWorker(): Worker {
  return new Worker(new URL('../../workers/reachability-worker.ts', import.meta.url), { type: 'module' });
}

type Answer =
  | { readonly type: 'none' }
  | { readonly type: 'asking'; readonly version: number }
  | { readonly type: 'answered'; readonly version: number; readonly reply: ReachabilityReply }
  | { readonly type: 'failed'; readonly text: string };

/** Which of the steps can still lead to a violation. The reader predicts first, then asks the checker. */
export function ReachabilityHint({ store }: { readonly store: RunStore }) {
  const answer = useSignal<Answer>({ type: 'none' });
  const job = useRef<Job<ReachabilityReply> | null>(null);
  useEffect(() => () => job.current?.cancel(), []);
  const version = store.version.value;
  const ask = async (): Promise<void> => {
    job.current?.cancel();
    answer.value = { type: 'asking', version };
    const request = { setup: setup.peek(), place: placeOf(store.model) };
    const started = startJob<ReachabilityRequest, ReachabilityReply[number], ReachabilityReply>(
      openWorker,
      request,
    );
    job.current = started;
    try {
      const reply = await started.result;
      answer.value = { type: 'answered', version, reply };
    } catch (error) {
      if (!(error instanceof JobCancelled)) answer.value = { type: 'failed', text: (error as Error).message };
    }
  };
  const { value } = answer;
  if (store.enabled.value.length === 0) return null;
  if (value.type === 'asking' && value.version === version)
    return <p class="caption">The checker explores the continuations…</p>;
  if (value.type === 'answered' && value.version === version) {
    return <ReachabilityText store={store} reply={value.reply} />;
  }
  return (
    <>
      {value.type === 'failed' && <p class="caption">The checker ended: {value.text}.</p>}
      <Button onClick={() => void ask()}>Ask the checker</Button>
    </>
  );
}

function ReachabilityText({ store, reply }: { readonly store: RunStore; readonly reply: ReachabilityReply }) {
  const bad = reply.find(({ reachability }) => reachability.type === 'violation');
  if (bad?.reachability.type === 'violation') {
    const { steps, text } = bad.reachability;
    const at = store.enabled.value.findIndex(({ step }) => formatStep(step) === bad.step);
    const first = store.enabled.value[at]?.step;
    return (
      <p class="reachability" data-kind="violation" role="status">
        <strong>✗ Checker:</strong> step {at + 1} can lead to a violation: {text}, after {steps.length + 1}{' '}
        steps.{' '}
        {first !== undefined && (
          <Button
            kind="plain"
            onClick={() =>
              store.change((model) => {
                for (const step of [first, ...steps]) model.take(step);
              })
            }
          >
            Show me
          </Button>
        )}
      </p>
    );
  }
  if (reply.every(({ reachability }) => reachability.type === 'safe')) {
    return (
      <p class="reachability" data-kind="safe" role="status">
        <strong>✓ Checker:</strong> without further faults, every continuation elects one leader or goes on.
      </p>
    );
  }
  return (
    <p class="reachability" data-kind="unknown" role="status">
      <strong>Checker:</strong> unknown. There are too many continuations to explore from here.
    </p>
  );
}
