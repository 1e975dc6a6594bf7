/** A computation in steps, between which the garbage of a run of days can be collected. */
export type Steps<T> = Generator<void, T>

export function finished<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}
