import { ApiError, type Backend, type BackendSocket } from './backend';

async function request<Answer>(path: string, body?: object): Promise<Answer> {
  let answer: Response;
  try {
    answer = await fetch(`/api${path}`, {
      credentials: 'same-origin',
      ...(body && {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-polyopolis': __VERSION__ },
        body: JSON.stringify(body),
      }),
    });
  } catch (error) {
    throw new ApiError(0, String(error));
  }
  const said: unknown = await answer.json().catch(() => null);
  if (!answer.ok) throw new ApiError(answer.status, errorMessage(said), Number(answer.headers.get('retry-after')));
  return said as Answer;
}

function errorMessage(said: unknown): string {
  const error = typeof said === 'object' && said && 'error' in said ? said.error : '';
  return typeof error === 'string' ? error : '';
}

function connect(path: string): BackendSocket {
  return new WebSocket(`${location.origin.replace(/^http/, 'ws')}/api${path}`) as unknown as BackendSocket;
}

/** The server that delivered this page. */
export const SERVER: Backend = { request, connect };
