import { expect, test } from 'bun:test'
import { linkSync, readdirSync, writeFileSync } from 'node:fs'
import { collectStrays } from '../../../src/library/collect.ts'
import { testApp } from '../../app.ts'
import { fitRun } from '../../fixtures/runs.ts'

test('a sweep moves every name of a stray file at once, though moving the first renews the times of the others', async () => {
  await using app = await testApp()
  await app.upload('/workouts/import', [{ name: 'run.fit', bytes: fitRun() }])
  const { config } = app.deps
  const raw = `${config.dataDir}/files/raw`
  const kept = readdirSync(raw)
  const strays = [1, 2, 3].map((digit) => `0198b000-0000-7000-8000-00000000000${digit}`)
  writeFileSync(`${raw}/${strays[0]}`, 'the runs of one file share it')
  for (const name of strays.slice(1)) linkSync(`${raw}/${strays[0]}`, `${raw}/${name}`)
  await Bun.sleep(20)
  expect(await collectStrays(app.deps, Date.now())).toBe(3)
  const folder = `${config.dataDir}/found/${new Date().toISOString().slice(0, 10)}`
  expect(readdirSync(folder).toSorted()).toEqual(strays)
  expect(readdirSync(raw).toSorted()).toEqual(kept.toSorted())
})
