import { expect } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type TestApp, type TestFile, testApp } from '../../app.ts'
import type { KnownRun } from '../../fixtures/service-runs.ts'

export const PATH = '/workouts/import/archive'

export interface ExportTruth {
  readonly kind: string
  readonly runs: readonly KnownRun[]
  /** Absent: the exporter keeps no heart rate. */
  readonly hasHr?: boolean
  readonly skippedSports?: Readonly<Record<string, number>>
  readonly errors?: readonly string[]
  readonly ignored?: number
}

/** Everything that has an import of an export: its runs, a second import that creates nothing, and an undo. */
export async function expectExport(file: TestFile, truth: ExportTruth): Promise<void> {
  const { kind, runs, skippedSports = {}, errors = [], ignored = 0 } = truth
  await using app = await testApp()
  const startedMs = process.cpuUsage().user
  const first = await app.upload(PATH, [file])
  expect(first.status, first.text.trim()).toBe(200)
  console.log(
    `${kind}: ${runs.length} runs in ${((process.cpuUsage().user - startedMs) / 1e6).toFixed(1)} s of one core`,
  )
  expect(first.json.errorDetails.map(({ filename }: { filename: string }) => filename).toSorted()).toEqual(errors)
  const { errorDetails: _, ...counts } = first.json
  expect(counts).toMatchObject({ kind, successful: runs.length, skipped: 0, skippedSports, ignored })
  await expectRuns(app, truth)
  const again = await app.upload(PATH, [file])
  expect(again.json).toMatchObject({ successful: 0, updated: 0, skipped: runs.length, errors: errors.length })
  await app.ok('POST', `/receipts/${first.json.receiptId}/undo`)
  expect((await app.ok('GET', '/workouts')).items).toEqual([])
  expect(readdirSync(join(app.deps.config.dataDir, 'tmp'))).toEqual([])
}

async function expectRuns(app: TestApp, { runs, hasHr = true, kind }: ExportTruth): Promise<void> {
  const stored = new Map<number, { id: string; durationS: number; distanceM: number; avgHeartRateBpm: number | null }>()
  for (let page = 1; stored.size < runs.length; page += 1) {
    const { items } = await app.ok('GET', `/workouts?pageSize=100&page=${page}`)
    expect(items.length).toBeGreaterThan(0)
    for (const item of items) stored.set(Date.parse(item.startedAt), item)
  }
  expect(stored.size).toBe(runs.length)
  for (const { startMs, seconds, speedMps, hr } of runs) {
    const found = stored.get(startMs)
    expect(found?.durationS).toBe(seconds)
    // the generators go due north on the ellipsoid, to a tenth of a metre in 100 m
    expect(Math.abs((found?.distanceM ?? 0) / (seconds * speedMps) - 1)).toBeLessThan(0.003)
    if (hasHr) expect(found?.avgHeartRateBpm).toBe(hr)
  }
  const { recordings } = await app.ok('GET', `/workouts/${stored.get(runs[0]!.startMs)!.id}/sources`)
  expect(recordings[0]).toMatchObject({ origin: kind })
}
