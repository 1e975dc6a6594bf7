/**
 * A computation in steps that each leave several columns behind, so that whoever runs it for a run of days can collect
 * garbage in between.
 */
export type Steps<T> = Generator<void, T>

/** The result of all steps. */
export function finished<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}
