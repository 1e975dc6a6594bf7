import type { BenchServer } from './server.ts'

// What others see of a server while it works.

/** What is asked again and again while the import works. */
const QUESTIONS = [
  '/workouts',
  '/stats/weekly-recap',
  '/stats/best-efforts',
  '/stats/yearly-weekly',
  '/health',
] as const
const SAMPLE_EVERY_MS = 100

/** The most memory until the work is done. */
export async function peakMemory(server: BenchServer, isDone: { readonly value: boolean }) {
  const peak = { anonMiB: 0, pssMiB: 0 }
  while (!isDone.value) {
    const { anonMiB, pssMiB } = await server.memory()
    peak.anonMiB = Math.max(peak.anonMiB, anonMiB)
    peak.pssMiB = Math.max(peak.pssMiB, pssMiB)
    await Bun.sleep(SAMPLE_EVERY_MS)
  }
  return peak
}

/** How long each question waits, again and again until the work is done. */
export async function askMeanwhile(
  server: BenchServer,
  isDone: { readonly value: boolean },
): Promise<Map<string, number[]>> {
  const latencies = new Map<string, number[]>()
  while (!isDone.value) {
    for (const question of QUESTIONS) {
      const sent = performance.now()
      const answer = await server.call(question)
      await answer.arrayBuffer()
      if (!answer.ok) throw new Error(`${question} answered ${answer.status}`)
      latencies.set(question, [...(latencies.get(question) ?? []), performance.now() - sent])
      await Bun.sleep(5)
    }
  }
  return latencies
}

export function waitsText(latencies: ReadonlyMap<string, readonly number[]>): string[] {
  return [...latencies].map(([question, waits]) => {
    const [p50, p99, worst] = [0.5, 0.99, 1].map((part) => percentile(waits, part))
    return `    ${question.padEnd(24)} p50 ${p50} ms, p99 ${p99} ms, worst ${worst} ms (budget p99 50), ${waits.length}`
  })
}

function percentile(values: readonly number[], part: number): string {
  const sorted = values.toSorted((a, b) => a - b)
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN).toFixed(1)
}
