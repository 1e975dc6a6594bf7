/** The longest time between two turns of the event loop until it is stopped; by a timer, which uses no CPU of its own. */
export function watchWaits() {
  let longestMs = 0
  let lastMs = performance.now()
  let isOn = true
  const turn = () => {
    longestMs = Math.max(longestMs, performance.now() - lastMs)
    lastMs = performance.now()
    if (isOn) setTimeout(turn, 1)
  }
  setTimeout(turn, 1)
  return {
    stop: () => {
      isOn = false
      return Math.max(longestMs, performance.now() - lastMs)
    },
  }
}

export function percentile(values: readonly number[], share: number): string {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!.toFixed(1)
}
