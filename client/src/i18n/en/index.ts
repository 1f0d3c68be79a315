import mycity from './mycity.json';
import shell from './shell.json';

export default { ...shell, ...mycity };
