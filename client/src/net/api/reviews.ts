import type { ExerciseGrade } from '../../wire/review';
import type { ReviewState, Solution, Trial } from '../../wire/server';
import { BACKEND } from '../currentBackend';

const match = (table: string, number: number): string => `/tables/${encodeURIComponent(table)}/matches/${number}`;

/** Reviews of finished matches. */
export const reviews = {
  /** Progress of the review. The answer waits until it is further than the `known` one. */
  show: (table: string, number: number, known: number) =>
    BACKEND.request<ReviewState>(`${match(table, number)}/review?known=${known}`),
  /** Progress of the search for the best city of a seat, likewise. */
  hindsight: (table: string, number: number, seat: number, known: number) =>
    BACKEND.request<ReviewState>(`${match(table, number)}/hindsight?seat=${seat}&known=${known}`),
  /** The position before a decision, with all choices that were legal there. */
  exercise: (table: string, number: number, move: number) =>
    BACKEND.request<Trial>(`${match(table, number)}/exercise?move=${move}`),
  /** The value of another decision. */
  solve: (table: string, number: number, solution: Solution) =>
    BACKEND.request<Pick<ExerciseGrade, 'right' | 'lacks'>>(`${match(table, number)}/solutions`, solution),
};
