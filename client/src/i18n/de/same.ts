/** What German says in the same letters as English. */
export default [
  'Album',
  'Aquarium',
  'Bot',
  'Chat',
  'Code',
  'Episode {episode}',
  'Episode {episode}: {name}',
  'Forts',
  'Gold',
  'My City: Roll & Write',
  'Name',
  'Passage',
  'Passkey',
  'Passkey: {name}',
  'Planetarium',
  'Vibration',
];
