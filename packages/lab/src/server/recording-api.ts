/** The API of the Cluster page for the recordings of a folder. It changes nothing. */
import type { ServerResponse } from 'node:http';
import { HustingsError } from '@hustings/base';
import { sendJson } from '@hustings/base/http';
import type { RecordingTexts } from '../model/recording/recording-texts.ts';
import type { ApiCall, LabApi } from './lab-api.ts';
import { refuseCall } from './refuse-call.ts';

export type { RecordingTexts };

/** A browser replays recordings of this size in a few seconds. */
const MAX_BYTES = 16_000_000;

const METHODS = new Map([['traces', 'GET' as const]]);

export class RecordingApi implements LabApi {
  readonly #read: () => RecordingTexts;

  /** `read` is called for each request: the cluster may still run. */
  constructor(read: () => RecordingTexts) {
    this.#read = read;
  }

  async handle(call: ApiCall, response: ServerResponse): Promise<void> {
    if (refuseCall(call, response, 'recording', METHODS)) return;
    try {
      const recording = this.#read();
      const bytes = recording.texts.reduce((sum, { text }) => sum + text.length, 0);
      if (bytes > MAX_BYTES) {
        const error = `the recordings have ${Math.ceil(bytes / 1e6)} MB, and the lab shows up to ${MAX_BYTES / 1e6} MB; use hustings replay`;
        return sendJson(response, 413, { error });
      }
      sendJson(response, 200, recording);
    } catch (error) {
      if (!(error instanceof HustingsError)) throw error;
      sendJson(response, 503, { error: error.message });
    }
  }

  async close(): Promise<void> {}
}
