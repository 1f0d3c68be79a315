import type { Component } from 'svelte';
import { addMessages, type Language, type Messages } from '../../../i18n/index.svelte';

/** How many episodes an envelope holds, and how many envelopes there are. */
export const EPISODES = 3;
export const CHAPTERS = 8;

// Each file is a part of its own that the browser asks for when its envelope opens, and never before.
const WORDS = import.meta.glob<{ default: Messages }>('./*/*.json');
const PICTURES = import.meta.glob<{ default: Component }>('./*/Picture.svelte');

let opened = $state(0);

export function chapterOf(episode: number): number {
  return Math.ceil(episode / EPISODES);
}

/** The chapters whose words are here. */
export function openedChapter(): number {
  return opened;
}

/** Brings the words of the chapters up to this one, in the language spoken now and in every one spoken later. */
export async function openChapters(upTo: number): Promise<void> {
  const fresh = Array.from({ length: Math.min(upTo, CHAPTERS) }, (_, i) => i + 1).slice(opened);
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
