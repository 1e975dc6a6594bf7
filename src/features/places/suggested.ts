import { gently } from '../../base/pace.ts'
import { distanceM, type Spot } from '../../engine/ground/starts.ts'
import { METRES_PER_DEGREE } from '../../engine/route/geo.ts'
import { BANDS, bandOf, decodedTowns, HEAD_BYTES, type Town } from './name-list.ts'
import listPath from './towns.bin' with { type: 'file' }

/** A town further away names no place. */
const MOST_M = 25_000

/** Name and country of the town that is nearest to a place; null: none is near. */
export type Suggested = Pick<Town, 'name' | 'country'> | null

/**
 * The nearest town of each place. Of the list, which is a file beside the program, only the bands of latitude about the
 * places are read, and nothing of it is kept.
 */
export async function suggestedNames(spots: readonly Spot[]): Promise<Suggested[]> {
  const list = Bun.file(listPath)
  const head = spots.length === 0 ? null : new DataView(await list.slice(0, HEAD_BYTES).arrayBuffer())
  const bands = new Map<number, Promise<Town[]>>()
  const bandAt = (band: number) => {
    const known = bands.get(band)
    if (known !== undefined || head === null) return known ?? []
    const [from, to] = [head.getUint32(4 * band, true), head.getUint32(4 * band + 4, true)]
    const read = list
      .slice(from, to)
      .bytes()
      .then((bytes) => [...decodedTowns(bytes)])
    bands.set(band, read)
    return read
  }
  const found: Suggested[] = []
  for (const spot of spots) {
    await gently()
    const middle = bandOf(spot.lat)
    let [nearest, leastM]: [Suggested, number] = [null, MOST_M]
    for (let band = Math.max(0, middle - 1); band <= Math.min(BANDS - 1, middle + 1); band += 1) {
      for (const town of await bandAt(band)) {
        if (Math.abs(spot.lat - town.lat) * METRES_PER_DEGREE > leastM) continue
        const metres = distanceM(spot, town)
        if (metres > leastM) continue
        nearest = { name: town.name, country: town.country }
        leastM = metres
      }
    }
    found.push(nearest)
  }
  return found
}
