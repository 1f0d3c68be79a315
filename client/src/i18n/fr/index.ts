import type { Catalogue } from '../types';
import building from './building.json';
import campaign from './campaign.json';
import mycity from './mycity.json';
import pointcity from './pointcity.json';
import rollwrite from './rollwrite.json';
import shell from './shell.json';

const fr = { ...shell, ...building, ...campaign, ...mycity, ...pointcity, ...rollwrite };

// A key that is missing here, and one that English does not have, are both errors of type.
const complete: Catalogue = fr;
const nothingMore: Record<Exclude<keyof typeof fr, keyof Catalogue>, never> = {};
void nothingMore;

export default complete;
