/** The bot that is offered first. */
export function usualBot(bots: readonly string[]): string {
  return bots.includes('greedy') ? 'greedy' : (bots[0] ?? 'greedy');
}
