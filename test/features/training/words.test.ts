// No answer judges a runner, and no estimate stands bare.
import { expect, test } from 'bun:test'
import { type TestApp, testApp } from '../../app.ts'
import { seasonGoals, seasonRuns, seasonSettings } from '../../fixtures/seasons/library.ts'

const DAY_MS = 86_400_000
const JUDGING = /\b(risk\w*|injur\w*|optimal\w*|overtrain\w*)/i
const CALLS = [
  ...['today', 'load', 'forecast', 'forecast?plan=usual', 'vo2max', 'predictions', 'critical-speed', 'efficiency'],
  ...['intensity', 'zones', 'proposals', 'goals', 'calendar'],
].map((call) => `/training/${call}`)
CALLS.push('/truth/fitness', '/truth/conditions')

test('no answer judges, and each estimate has a band or a confidence, or says why there is no value', async () => {
  await using app = await testApp()
  expect(await sound(app)).toBeGreaterThan(8)
  const todayMs = Math.floor(app.clock.nowMs / DAY_MS) * DAY_MS
  await app.call('PUT', '/settings/training', { json: seasonSettings(todayMs) })
  for (const goal of seasonGoals(todayMs)) await app.call('POST', '/training/goals', { json: goal })
  const ids: string[] = []
  for (const { file, edit } of [...seasonRuns(todayMs)].slice(-60)) {
    const id = await app.run(file, `${ids.length}.fit`)
    await app.call('PATCH', `/workouts/${id}`, { json: edit })
    ids.push(id)
  }
  expect(await sound(app)).toBeGreaterThan(12)
  for (const id of ids.slice(-8)) expect(await soundAnswer(app, `/workouts/${id}/training`)).toBe(2)
}, 120_000)

/** @returns how many estimates the calls gave */
async function sound(app: TestApp): Promise<number> {
  let count = 0
  for (const path of CALLS) count += await soundAnswer(app, path)
  return count
}

async function soundAnswer(app: TestApp, path: string): Promise<number> {
  const { status, json, text } = await app.call('GET', path)
  expect([path, status, JUDGING.exec(text)?.[0]]).toEqual([path, 200, undefined])
  const estimates = estimatesIn(json)
  for (const { value, low, high, confidence, reasons, missing } of estimates) {
    if (value === null) {
      expect([path, confidence, low, high]).toEqual([path, null, null, null])
      expect(reasons.length).toBeGreaterThan(0)
      expect(missing ?? '').not.toBe('')
    } else {
      expect([path, confidence]).toEqual([path, expect.stringMatching(/^(low|medium|high)$/)])
      expect((low === null) === (high === null) && (low === null || (low <= value && value <= (high ?? 0)))).toBe(true)
    }
  }
  return estimates.length
}

interface AnyEstimate extends Readonly<Record<'value' | 'low' | 'high', number | null>> {
  readonly confidence: string | null
  readonly reasons: readonly string[]
  readonly missing: string | null
}

function estimatesIn(json: unknown): AnyEstimate[] {
  if (typeof json !== 'object' || json === null) return []
  if ('value' in json && 'confidence' in json && 'basis' in json) return [json as unknown as AnyEstimate]
  return Object.values(json).flatMap(estimatesIn)
}
