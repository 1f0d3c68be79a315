import { mount } from 'svelte';
import App from './App.svelte';
import { startRouter } from './lib/routing/location.svelte';
import { hasReloadedFor } from './lib/site/reloadOnce';
import { startSettings } from './lib/site/settings.svelte';
import { LOCAL } from './net/localMode';
import './styles/tokens.css';
import './styles/base.css';

// A chunk that is missing on the server belongs to an older version.
addEventListener('vite:preloadError', (event) => {
  if (hasReloadedFor(`part of ${__VERSION__}`, sessionStorage)) return;
  event.preventDefault();
  location.reload();
});

const target = document.getElementById('app')!;
const start = (): Record<string, unknown> => mount(App, { target });
const settled = startSettings();
startRouter();

if (LOCAL) void import('./pages/local/startLocal').then(({ startLocal }) => startLocal(target, settled, start));
await settled; // the build splits the client here: without it the screens of games would load with the home page
if (!LOCAL) start();
