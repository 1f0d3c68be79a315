import type {
  MatchStart,
  PersonalBest,
  Branch,
  CampaignInfo,
  ScoreHistory,
  CreateTable,
  DailyInfo,
  Fork,
  ReplayFrameList,
  PastEvents,
  SiteInfo,
  Import,
  SetListed,
  DailyCalendar,
  OwnVacation,
  Replay,
  SeatChange,
  SeatCode,
  SeatTaken,
  TableCreated,
  TableInfo,
  Trials,
  UseSeatCode,
} from '../../wire/server';
import type { Backend } from '../backend';
import { BACKEND } from '../currentBackend';

const table = (id: string): string => `/tables/${encodeURIComponent(id)}`;
const match = (id: string, number: number): string => `${table(id)}/matches/${number}`;

/** The requests that every backend answers. */
export type Api = ReturnType<typeof apiOf>;

const apiOf = ({ request }: Backend) => ({
  hello: () => request<SiteInfo>('/hello'),
  beginning: (game: string, setup: Readonly<Record<string, string | number>>) =>
    request<MatchStart>(
      `/games/${encodeURIComponent(game)}/beginning?${new URLSearchParams(
        Object.entries(setup).map(([field, value]) => [field, String(value)]),
      )}`,
    ),
  /** Positions on which readers of the rules try a move. */
  trials: (game: string) => request<Trials>(`/games/${encodeURIComponent(game)}/trials`),
  outline: <Outline>(game: string, content: number | null) =>
    request<Outline>(`/games/${encodeURIComponent(game)}/outline${content === null ? '' : `?content=${content}`}`),
  create: (wish: CreateTable) => request<TableCreated>('/tables', wish),
  table: (id: string) => request<TableInfo>(table(id)),
  /** Adds a table to the list of this guest, or removes it. */
  list: (id: string, listed: boolean) => request<SetListed>(`${table(id)}/listing`, { listed }),
  changeSeat: (id: string, seat: number, wish: SeatChange) => request<TableInfo>(`${table(id)}/seats/${seat}`, wish),
  /** The remaining vacation days of this guest, over all tables. */
  vacation: (id: string) => request<OwnVacation>(`${table(id)}/vacation`),
  seatCode: (id: string, seat: number) => request<SeatCode>(`${table(id)}/seats/${seat}/code`, {}),
  useCode: (wish: UseSeatCode) => request<SeatTaken>('/codes', wish),
  rematch: (id: string) => request<TableInfo>(`${table(id)}/matches`, {}),
  /** The events after the first `since` moves of a match. */
  events: (id: string, number: number, since: number) =>
    request<PastEvents>(`${match(id, number)}/events?since=${since}`),
  course: (id: string, number: number) => request<ScoreHistory>(`${match(id, number)}/course`),
  /** Compares a finished match with the other matches of this guest. */
  best: (id: string, number: number) => request<PersonalBest>(`${match(id, number)}/best`),
  /** A replay with its first frames; `frames` loads the others. */
  replay: (id: string, number: number) => request<Replay>(`${match(id, number)}/replay`),
  frames: (id: string, number: number, first: number) =>
    request<ReplayFrameList>(`${match(id, number)}/frames?first=${first}`),
  branch: (id: string, number: number, wish: Branch) => request<TableCreated>(`${match(id, number)}/branches`, wish),
  /** The calendar of this guest, with the games of today. */
  myDays: () => request<DailyCalendar>('/daily'),
  day: (day: string) => request<DailyInfo>(`/daily/${encodeURIComponent(day)}`),
  playDay: (day: string, game: string, name: string) =>
    request<TableCreated>(`/daily/${encodeURIComponent(day)}/${encodeURIComponent(game)}`, { name }),
  campaign: (id: string) => request<CampaignInfo>(`${table(id)}/campaign`),
  /** The files of a match and of a campaign, and the import of such a file as a table. */
  record: (id: string, number: number) => request<Record<string, unknown>>(`${match(id, number)}/record`),
  campaignFile: (id: string) => request<Record<string, unknown>>(`${table(id)}/campaign.json`),
  importGame: (wish: Import) => request<TableCreated>('/imports', wish),
  fork: (id: string, number: number, wish: Fork) => request<TableCreated>(`${match(id, number)}/forks`, wish),
});

export const api: Api = apiOf(BACKEND);

export const recordAddress = (id: string, number: number): string => `/api${match(id, number)}/record`;
export const campaignAddress = (id: string): string => `/api${table(id)}/campaign.json`;
export const qrAddress = (id: string): string => `/api${table(id)}/qr.svg`;
