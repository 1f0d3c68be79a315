import type { Component } from 'svelte';
import { addMessages, type Language, type Messages } from '../../../i18n/index.svelte';

// Each file is a chunk of its own, which the browser loads only when its envelope is opened.
const WORDS = import.meta.glob<{ default: Messages }>('./*/*.json');
const PICTURES = import.meta.glob<{ default: Component }>('./*/Picture.svelte');

/** The numbers of all chapters. */
export const CHAPTERS: readonly number[] = Object.keys(PICTURES)
  .map((path) => Number(path.split('/')[1]))
  .sort((chapter, other) => chapter - other);

let opened = $state(0);

/** Returns the last chapter whose texts are loaded. */
export function openedChapter(): number {
  return opened;
}

/** Loads the texts of the chapters up to this one, in the current language and in each later one. */
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

/** Loads the picture of an open envelope. */
export async function pictureOf(chapter: number): Promise<Component | null> {
  const file = PICTURES[`./${chapter}/Picture.svelte`];
  return file ? (await file()).default : null;
}
