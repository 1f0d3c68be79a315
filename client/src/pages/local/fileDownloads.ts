import type { LocalBackend } from '../../net/local/localBackend';

/** Returns a click handler that saves downloads of the local backend, as a server would send them. */
export function downloadHandler(backend: Pick<LocalBackend, 'text'>): (event: MouseEvent) => void {
  return (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const path = link?.hasAttribute('download') ? /^\/api(\/.+)$/.exec(link.pathname)?.[1] : undefined;
    if (path === undefined) return;
    event.preventDefault();
    void backend.text(path).then((text) => save(text, nameOf(path)));
  };
}

/** The file name that the server would use: `/tables/x/matches/0/record` is polyopolis-x-0.json. */
function nameOf(path: string): string {
  const [, , table, part, number] = path.split('/');
  return `polyopolis-${table}-${part === 'matches' ? number : 'campaign'}.json`;
}

function save(text: string, name: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = Object.assign(document.createElement('a'), { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
