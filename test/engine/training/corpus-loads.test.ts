import { expect } from 'bun:test'
import { corpusLoads, outside } from '../../../bench/training-corpus.ts'
import { corpusTest } from '../../corpus.ts'

corpusTest('loads by heart rate and by pace of real runs agree at a VDOT between that of the run and 70', async () => {
  const { loads, without } = await corpusLoads()
  expect([loads.length, without.length]).toEqual([31, 7])
  const marked = loads.flatMap((load) => outside(load).map((words) => [load.name, words]))
  expect(marked).toEqual([
    // an easy run over 225 m of climb, at 124 bpm
    ['fit/Standard-fr310xt.fit', 'heart far below pace'],
    // a walk at 95 bpm
    ['fit-gz/Move_2020_01_15_19_27_16_Running.fit.gz', 'heart far below pace'],
    // an easy run at 123 bpm
    ['gpx/garmin-connect.gpx', 'heart far below pace'],
    // 335 m of climb with walking: 157 bpm at 9:42 a kilometre
    ['strava-export/activities/1785432100.tcx.gz', 'agrees below its own'],
    ['strava-export/activities/1785432100.tcx.gz', 'heart above pace'],
    // nearly all-out, at 178 bpm: both VDOT within 1 %
    ['strava-export/activities/5566778899.gpx.gz', 'agrees below its own'],
  ])
})

corpusTest('decoupling of steady real runs is plausible', async () => {
  const { loads } = await corpusLoads()
  const known = loads.filter(({ decouplingPct }) => decouplingPct !== null)
  expect(known.length).toBeGreaterThanOrEqual(9)
  for (const { decouplingPct } of known) expect(Math.abs(decouplingPct!)).toBeLessThan(10)
})
