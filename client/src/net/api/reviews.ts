import type { Answer } from '../../wire/review';
import type { Reviewed, Solution, Trial } from '../../wire/server';
import { BACKEND } from '../currentBackend';

const match = (table: string, number: number): string => `/tables/${encodeURIComponent(table)}/matches/${number}`;

/** What there is to learn from a match that is over. */
export const reviews = {
  /** How far its review is, as soon as it is further than the known answer. */
  show: (table: string, number: number, known: number) =>
    BACKEND.request<Reviewed>(`${match(table, number)}/review?known=${known}`),
  /** How far the search for the best city of a seat is, likewise. */
  hindsight: (table: string, number: number, seat: number, known: number) =>
    BACKEND.request<Reviewed>(`${match(table, number)}/hindsight?seat=${seat}&known=${known}`),
  /** The position before a decision, with all that was possible there. */
  exercise: (table: string, number: number, move: number) =>
    BACKEND.request<Trial>(`${match(table, number)}/exercise?move=${move}`),
  /** What another decision would have been worth. */
  solve: (table: string, number: number, solution: Solution) =>
    BACKEND.request<Pick<Answer, 'right' | 'lacks'>>(`${match(table, number)}/solutions`, solution),
};
