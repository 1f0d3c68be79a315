import { ApiError, type House, type Wire } from './backend';

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
  if (!answer.ok) throw new ApiError(answer.status, sentence(said), Number(answer.headers.get('retry-after')));
  return said as Answer;
}

function sentence(said: unknown): string {
  const error = typeof said === 'object' && said && 'error' in said ? said.error : '';
  return typeof error === 'string' ? error : '';
}

function connect(path: string): Wire {
  return new WebSocket(`${location.origin.replace(/^http/, 'ws')}/api${path}`) as unknown as Wire;
}

/** The server that this page came from. */
export const SERVER: House = { request, connect };
