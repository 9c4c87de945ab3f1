/**
 * One statement, or one run of a task, for all who ask in the same moment. Whoever asks while it runs waits for the
 * next one, so every answer is from after its question. A failure is that of all who asked.
 */

/**
 * @param answerAll answers in the order of the questions
 * @param most questions at a time
 */
export function askedTogether<Question, Answer>(
  answerAll: (questions: readonly Question[]) => Promise<readonly Answer[]>,
  most = Number.POSITIVE_INFINITY,
): (question: Question) => Promise<Answer> {
  const waiting: { question: Question; answer: PromiseWithResolvers<Answer> }[] = [];
  let isRunning = false;

  async function run(): Promise<void> {
    isRunning = true;
    while (waiting.length > 0) {
      const asked = waiting.splice(0, most);
      try {
        const answers = await answerAll(asked.map(({ question }) => question));
        for (const [place, { answer }] of asked.entries()) answer.resolve(answers[place] as Answer);
      } catch (error) {
        for (const { answer } of asked) answer.reject(error);
      }
    }
    isRunning = false;
  }

  return question => {
    const answer = Promise.withResolvers<Answer>();
    waiting.push({ question, answer });
    if (!isRunning) void run();
    return answer.promise;
  };
}

/** Starts the task if it is not running. Callers during a run share the next one, which begins after it. */
export function shared(task: () => Promise<void>): () => Promise<void> {
  const ask = askedTogether<void, void>(async asked => {
    await task();
    return asked;
  });
  return () => ask();
}
