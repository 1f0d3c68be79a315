/** What Dutch says in the same letters as English. */
export default [
  'Album',
  'Aquarium',
  'Bot',
  'Chat',
  'Code',
  'Grand hotel',
  'Menu',
  'My City: Roll & Write',
  'Passage',
  'Planetarium',
  'fort',
  'kiosk',
  'open {points}',
  'par {points}',
  'park',
  'water',
];
