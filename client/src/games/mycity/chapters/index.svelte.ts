import type { Component } from 'svelte';
import { addMessages, type Language, type Messages } from '../../../i18n/index.svelte';

// Each file is a part of its own that the browser asks for when its envelope opens, and never before.
const WORDS = import.meta.glob<{ default: Messages }>('./*/*.json');
const PICTURES = import.meta.glob<{ default: Component }>('./*/Picture.svelte');

/** The envelopes that there are. */
export const CHAPTERS: readonly number[] = Object.keys(PICTURES)
  .map((path) => Number(path.split('/')[1]))
  .sort((chapter, other) => chapter - other);

let opened = $state(0);

/** The chapters whose words are here. */
export function openedChapter(): number {
  return opened;
}

/** Brings the words of the chapters up to this one, in the language spoken now and in every one spoken later. */
export async function openChapters(upTo: number): Promise<void> {
  const fresh = CHAPTERS.filter((chapter) => opened < chapter && chapter <= upTo);
  if (!fresh.length) return;
  await addMessages(async (language) => {
    const chapters = await Promise.all(fresh.map((chapter) => words(chapter, language)));
    return Object.fromEntries(chapters.flatMap((messages) => Object.entries(messages)));
  });
  opened = Math.max(opened, ...fresh);
}

async function words(chapter: number, language: Language): Promise<Messages> {
  const file = WORDS[`./${chapter}/${language}.json`];
  return file ? (await file()).default : {};
}

/** The picture on an envelope that may be seen. */
export async function pictureOf(chapter: number): Promise<Component | null> {
  const file = PICTURES[`./${chapter}/Picture.svelte`];
  return file ? (await file()).default : null;
}
