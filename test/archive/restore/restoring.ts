import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { TestApp } from '../../app.ts'
import { jpeg } from '../../fixtures/media.ts'
import { fitRun, START_MS } from '../../fixtures/runs.ts'
import { countOf } from '../../library/as-stored.ts'

export const id = (n: number) => `0a1b2c3d-0000-4000-8000-${String(n).padStart(12, '0')}`

export function workout(n: number, more: Readonly<Record<string, unknown>> = {}) {
  const startedAt = new Date(START_MS + n * 86_400_000).toISOString()
  return { id: id(n), startedAt, createdAt: startedAt, durationS: 1800, distanceM: 5000, name: `Run ${n}`, ...more }
}

export const shoe = (n: number, brand: string, model: string) => ({
  ...{ id: id(n), brand, model, createdAt: '2024-01-01T00:00:00Z' },
})

export function counts(imported: number, skipped = 0, errors = 0) {
  return { imported, skipped, errors }
}

/** Rows of every table that a restore writes. */
export function rowCounts({ deps }: TestApp): Record<string, number> {
  const runs = ['workout', 'recording', 'document', 'samples', 'workout_split', 'workout_best_effort', 'workout_route']
  return Object.fromEntries(['shoe', ...runs, 'media'].map((table) => [table, countOf(deps, table)]))
}

export function filesOf({ deps }: TestApp, folder: string): string[] {
  try {
    return readdirSync(join(deps.config.dataDir, folder)).sort()
  } catch {
    return []
  }
}

/** Two FIT runs, one with a photo, cut in kilometres. */
export async function library(app: TestApp): Promise<string[]> {
  const ids: string[] = []
  for (const n of [0, 1]) {
    const file = fitRun({ startMs: START_MS + n * 1e8, seconds: 1200, speedMps: 3 + n / 10 })
    ids.push(await app.run(file, `${n}.fit`))
  }
  await app.upload(`/workouts/${ids[0]}/media`, [{ name: 'a.jpg', bytes: jpeg(99) }])
  return ids
}

export function manifest(more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    version: '1.0.0',
    dataFormat: { shoes: 'data/shoes.json', workouts: 'data/workouts.json', settings: 'data/settings.json' },
    ...more,
  }
}
