import { t } from '../../../i18n/index.svelte';
import { announce } from '../../../lib/page/announcer.svelte';
import { errorText } from '../../../lib/text/errorText';
import { social } from '../../../net/api/social';
import { ApiError } from '../../../net/backend';
import type {} from '../../../shell/social/words';
import type { ChatHistory, SendReaction, ChatMessageView, ToScreen } from '../../../wire/server';
import { lastRead, markRead } from './readMarks';

export type Reaction = SendReaction['reaction'];
export const REACTIONS: readonly Reaction[] = ['wave', 'applause', 'thinking', 'sorry'];
/** Time in milliseconds for which a reaction is shown. */
export const REACTION_MILLISECONDS = 4_500;

/** A reaction of a seat. */
export interface SeatReaction {
  readonly seat: number;
  readonly reaction: Reaction;
}

/** The state of the table that the chat needs. */
export interface SocialContext {
  readonly id: string;
  name(seat: number): string;
  /** The seats of this guest. */
  yours(): readonly number[];
}

const NO_CONVERSATION: ChatHistory = { remarks: [], ignored: [], muted: false };

/** The chat and the reactions of a table. */
export class TableSocial {
  /** Whether the panel is visible. */
  #shown = $state(false);
  #conversation = $state.raw<ChatHistory>(NO_CONVERSATION);
  #signs = $state.raw<readonly SeatReaction[]>([]);
  #read = $state(0);
  #problem = $state('');
  /** Messages that were reported on this visit. */
  #reported = $state.raw<ReadonlySet<string>>(new Set());

  constructor(
    readonly around: SocialContext,
    private readonly net: typeof social = social,
  ) {
    this.#read = lastRead(around.id);
  }

  get shown(): boolean {
    return this.#shown;
  }

  get remarks(): readonly ChatMessageView[] {
    return this.#conversation.remarks;
  }

  /** The seats whose messages this guest ignores. */
  get ignored(): readonly number[] {
    return this.#conversation.ignored;
  }

  /** Whether the host has muted this guest. */
  get muted(): boolean {
    return this.#conversation.muted;
  }

  get signs(): readonly SeatReaction[] {
    return this.#signs;
  }

  get problem(): string {
    return this.#problem;
  }

  get unread(): number {
    return this.remarks.filter(({ time, yours, ignored }) => !yours && !ignored && time > this.#read).length;
  }

  isReported(remark: string): boolean {
    return this.#reported.has(remark);
  }

  show(shown: boolean): void {
    this.#shown = shown;
    this.#seen();
  }

  /** Loads the messages from before the visit or from an absence. */
  async load(): Promise<void> {
    await this.#try(async () => this.#take(await this.net.talk(this.around.id)));
  }

  hear(message: ToScreen): void {
    if (message.type === 'said') this.#received(message.remark);
    else if (message.type === 'reacted') this.#reacted(message);
    else if (message.type === 'welcome' && this.around.yours().length) void this.load();
  }

  async say(text: string): Promise<boolean> {
    return this.#try(async () => this.#add(await this.net.say(this.around.id, text)));
  }

  async react(reaction: Reaction): Promise<void> {
    const [seat] = this.around.yours();
    if (seat !== undefined) await this.#try(() => this.net.react(this.around.id, { reaction, seat }));
  }

  async ignore(remark: ChatMessageView, ignored: boolean): Promise<void> {
    const wish = { ignored, remark: remark.id };
    await this.#try(async () => this.#take(await this.net.ignore(this.around.id, wish)));
  }

  async report(remark: ChatMessageView): Promise<void> {
    const reported = await this.#try(() => this.net.report(this.around.id, remark.id));
    if (!reported) return;
    this.#reported = new Set([...this.#reported, remark.id]);
    announce(t('talk.reported'));
  }

  #received(remark: ChatMessageView): void {
    this.#add(remark);
    if (!remark.yours && !this.#shown) announce(t('talk.said', { name: remark.name, text: remark.text }));
  }

  #add(remark: ChatMessageView): void {
    if (this.remarks.some(({ id }) => id === remark.id)) return;
    this.#conversation = { ...this.#conversation, remarks: [...this.remarks, remark] };
    this.#seen();
  }

  #take(conversation: ChatHistory): void {
    this.#conversation = conversation;
    this.#seen();
  }

  #seen(): void {
    const last = this.remarks.at(-1)?.time ?? 0;
    if (!this.#shown || last <= this.#read) return;
    this.#read = last;
    markRead(this.around.id, last);
  }

  #reacted({ seat, reaction }: SeatReaction): void {
    const sign = { seat, reaction };
    this.#signs = [...this.#signs.filter((other) => other.seat !== seat), sign];
    setTimeout(() => (this.#signs = this.#signs.filter((other) => other !== sign)), REACTION_MILLISECONDS);
    if (!this.around.yours().includes(seat)) announce(t(`sign.${reaction}.by`, { name: this.around.name(seat) }));
  }

  /** Runs a request; reloads the chat if this guest has been muted. */
  async #try(work: () => Promise<unknown>): Promise<boolean> {
    this.#problem = '';
    try {
      await work();
      return true;
    } catch (error) {
      const refused = error instanceof ApiError && error.status === 403;
      this.#problem = error instanceof ApiError && error.status === 400 ? t('talk.unreadable') : errorText(error);
      if (refused)
        await this.net.talk(this.around.id).then(
          (conversation) => this.#loaded(conversation),
          () => null,
        );
      return false;
    }
  }

  #loaded(conversation: ChatHistory): void {
    this.#take(conversation);
    if (conversation.muted) this.#problem = '';
  }
}
