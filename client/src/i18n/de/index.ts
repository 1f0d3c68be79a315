import { complete } from '../complete';
import building from './building.json';
import campaign from './campaign.json';
import mycity from './mycity.json';
import pointcity from './pointcity.json';
import rollwrite from './rollwrite.json';
import shell from './shell.json';

export default complete({ ...shell, ...building, ...campaign, ...mycity, ...pointcity, ...rollwrite });
