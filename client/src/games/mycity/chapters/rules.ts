import { CHAPTERS, EPISODES } from './index.svelte';

type Span = readonly [from: number, to: number];

const END = CHAPTERS * EPISODES;

/** In which episodes each rule holds. Only numbers: the words are sealed with the chapter that brings the rule. */
const HOLDS: Readonly<Record<string, readonly Span[]>> = {
  '1.1': [[1, END]],
  '1.2': [
    [1, 10],
    [13, 21],
  ],
  '1.3': [[1, END]],
  '1.4': [
    [1, 5],
    [7, 8],
    [10, END],
  ],
  '1.5': [[1, 12]],
  '1.6': [[1, END]],
  '1.7': [[1, 14]],
  '1.8': [[1, END]],
  '1.9': [[1, END]],
  '1.10': [[1, END]],
  '2.1': [[2, 12]],
  '3.1': [[3, 12]],
  '4.1': [[4, END]],
  '4.2': [[4, END]],
  '4.3': [[4, 4]],
  '4.4': [[4, 4]],
  '5.1': [[5, END]],
  '5.2': [[5, END]],
  '6.1': [[6, 6]],
  '7.1': [[7, 9]],
  '7.2': [[7, 7]],
  '7.3': [[7, 9]],
  '8.1': [[8, 9]],
  '9.1': [[9, 9]],
  '10.1': [[10, 10]],
  '10.2': [[10, 12]],
  '10.3': [[10, END]],
  '11.1': [[11, 12]],
  '11.2': [[11, 12]],
  '12.1': [[12, 12]],
  '13.1': [[13, 13]],
  '13.2': [[13, END]],
  '13.3': [[13, 18]],
  '13.4': [[13, 13]],
  '13.5': [[13, 15]],
  '14.1': [[14, END]],
  '15.1': [[15, END]],
  '16.1': [[16, 18]],
  '16.2': [[16, 18]],
  '17.1': [[17, 18]],
  '18.1': [[18, 18]],
  '19.1': [[19, 19]],
  '19.2': [[19, END]],
  '20.1': [[20, END]],
  '21.1': [[21, END]],
  '22.1': [[22, END]],
  '22.2': [[22, END]],
  '22.3': [[22, END]],
  '23.1': [[23, END]],
  '24.1': [[24, END]],
  '24.2': [[24, END]],
};

/** The episode that brings a rule. */
export function bringer(rule: string): number {
  return Number(rule.split('.')[0]);
}

/** The rules in force in an episode, the oldest first. */
export function rulesIn(episode: number): readonly string[] {
  return Object.keys(HOLDS).filter((rule) => HOLDS[rule]?.some(([from, to]) => from <= episode && episode <= to));
}

/** What an episode brings. */
export function newIn(episode: number): readonly string[] {
  return Object.keys(HOLDS).filter((rule) => bringer(rule) === episode);
}
