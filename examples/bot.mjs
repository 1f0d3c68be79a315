// A bot that plays random legal actions: node examples/bot.mjs https://cities.example TOKEN
//
// It joins every table that invites external bots, and plays there. docs/bot-api.md describes the requests and messages.

const [site, token] = process.argv.slice(2);

async function ask(path, body) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const method = body ? 'POST' : 'GET';
  const answer = await fetch(`${site}/api${path}`, { method, headers, body: body && JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
  return answer;
}

async function* lines(path) {
  let rest = '';
  for await (const piece of (await ask(path)).body.pipeThrough(new TextDecoderStream())) {
    const whole = (rest + piece).split('\n');
    rest = whole.pop();
    for (const line of whole) if (line) yield JSON.parse(line);
  }
}

async function play(table) {
  let done = -1;
  for await (const told of lines(`/bot/stream/${table}`)) {
    for (const { seat, turn, choices, staged } of told.mine ?? []) {
      if (!choices.length || staged !== null || turn === done) continue;
      done = turn;
      const action = choices[Math.floor(Math.random() * choices.length)];
      await ask(`/bot/stream/${table}`, { type: 'act', seat, turn, action });
    }
  }
}

const playing = new Set();
for await (const { type, table } of lines('/stream/event')) {
  if (type === 'invited') {
    const free = table.seats.find((seat) => seat.kind === 'open').seat;
    const sits = ask(`/tables/${table.table}/seats/${free}`, { type: 'join', name: 'Fortuna' });
    await sits.catch(() => {}); // the seat was taken in the meantime
  } else if (['playing', 'turn'].includes(type) && !playing.has(table.table)) {
    playing.add(table.table);
    play(table.table);
  }
}
