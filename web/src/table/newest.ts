/** Asks one question at a time: of those that come up while one is answered, only the newest is asked next. */
export function newest<Question, Answer>(
  ask: (question: Question) => Promise<Answer>,
  answered: (question: Question, answer: Answer | undefined) => void,
): (question: Question) => void {
  let next: { question: Question } | undefined;
  let busy = false;

  async function run(): Promise<void> {
    busy = true;
    while (next) {
      const { question } = next;
      next = undefined;
      const answer = await ask(question).catch(() => undefined);
      if (!next) answered(question, answer);
    }
    busy = false;
  }

  return (question) => {
    next = { question };
    if (!busy) void run();
  };
}
