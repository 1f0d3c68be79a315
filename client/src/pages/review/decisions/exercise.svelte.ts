import { errorText } from '../../../lib/text/errorText';
import type { ExerciseGrade, Decision } from '../../../wire/review';
import type { Solution, Trial } from '../../../wire/server';

type Solved = Pick<ExerciseGrade, 'right' | 'lacks'>;

/** A mistake of a player, to decide again. */
export class Exercise {
  /** The position, once it is loaded. */
  trial = $state.raw<Trial | null>(null);
  /** The player's answer and its value. */
  answer = $state.raw<unknown>(null);
  solved = $state.raw<Solved | null>(null);
  judging = $state(false);
  problem = $state('');

  constructor(
    readonly decision: Decision,
    private readonly fetch: (move: number) => Promise<Trial>,
    private readonly solve: (solution: Solution) => Promise<Solved>,
  ) {}

  async open(): Promise<void> {
    try {
      this.trial = await this.fetch(this.decision.move);
    } catch (error) {
      this.problem = errorText(error);
    }
  }

  async act(action: unknown): Promise<void> {
    if (this.judging || this.solved) return;
    this.judging = true;
    this.problem = '';
    try {
      const beside = this.decision.best.action;
      this.solved = await this.solve({ move: this.decision.move, action, beside });
      this.answer = action;
    } catch (error) {
      this.problem = errorText(error);
    }
    this.judging = false;
  }

  again(): void {
    this.answer = this.solved = null;
  }
}
