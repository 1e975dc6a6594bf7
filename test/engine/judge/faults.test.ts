// Sound runs of random shape, spoiled by one fault of a kind of docs/algorithms.md 0 at a random place and size, come back; sound
// ones are never corrected.
import { expect, test } from 'bun:test'
import { FAULTS } from '../../fixtures/faults.ts'
import { diceOf, differences, readRuns } from '../../fixtures/shaped-run.ts'
import { SOUND } from '../../fixtures/sound-runs.ts'

const SEEDS = 200
/** Some faults leave nothing by which they can be told, as a fix in the very second of the start. */
const LEAST_SHARE = 0.95

for (const [kind, variants] of Object.entries(FAULTS)) {
  test(`${kind}: ${Object.keys(variants).join(', ')} come back within 1 s and 1 %`, () => {
    const faults = Object.entries(variants)
    const wrong: string[] = []
    for (let seed = 0; seed < SEEDS; seed += 1) {
      const [name, fault] = faults[seed % faults.length]!
      const { file, truths } = fault(diceOf(seed))
      const runs = readRuns(file)
      const apart =
        runs.length === truths.length
          ? truths.flatMap((truth, place) => differences(runs[place]!, truth))
          : [`${runs.length} runs`]
      if (apart.length > 0) wrong.push(`${name} ${seed}: ${apart.join(', ')}`)
    }
    expect(wrong.length <= (1 - LEAST_SHARE) * SEEDS ? [] : wrong).toEqual([])
  })
}

for (const [name, sound] of Object.entries(SOUND)) {
  test(`a sound run (${name}) is not corrected`, () => {
    const said: string[] = []
    for (let seed = 0; seed < SEEDS; seed += 1) {
      const corrections = readRuns(sound(diceOf(seed))).flatMap((run) => run.corrections)
      if (corrections.length > 0) said.push(`${seed}: ${corrections.map(({ reason }) => reason).join(', ')}`)
    }
    expect(said).toEqual([])
  })
}
