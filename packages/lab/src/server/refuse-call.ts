/** What every API of the lab refuses: an unknown path, and the wrong method. */
import type { ServerResponse } from 'node:http';
import { sendJson } from '@hustings/base/http';
import type { ApiCall } from './lab-api.ts';

/** True if the call was refused. `methods` has the method of each path; HEAD is answered wherever GET is. */
export function refuseCall(
  { method, path }: ApiCall,
  response: ServerResponse,
  name: string,
  methods: ReadonlyMap<string, 'GET' | 'POST'>,
): boolean {
  const allowed = methods.get(path);
  if (allowed === undefined) {
    sendJson(response, 404, { error: `the ${name} API has no ${JSON.stringify(path)}` });
    return true;
  }
  if (allowed === (method === 'HEAD' ? 'GET' : method)) return false;
  response.setHeader('allow', allowed === 'GET' ? 'GET, HEAD' : 'POST');
  sendJson(response, 405, { error: `${path} is answered to ${allowed} only` });
  return true;
}
