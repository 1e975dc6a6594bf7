import { gently } from '../../base/pace.ts'
import { distanceM, type Spot } from '../../engine/ground/starts.ts'
import { METRES_PER_DEGREE } from '../../engine/route/geo.ts'
import listPath from './towns.bin' with { type: 'file' }

/** A town further away names no place. */
const MOST_M = 25_000
/**
 * Of each town of the list, which build/town-names.ts writes: latitude and longitude in units of 1e-5 degrees, two
 * letters of the country, bytes of the name; then the name.
 */
const [TOWN_BYTES, UNITS] = [11, 1e5]

/** Name and country (ISO 3166-1) of the town that is nearest to a place; null: none is near. */
export type Suggested = { readonly name: string; readonly country: string } | null

/** The nearest town of each place. The list is a file beside the program, and nothing of it is kept. */
export async function suggestedNames(spots: readonly Spot[]): Promise<Suggested[]> {
  if (spots.length === 0) return []
  const bytes = await Bun.file(listPath).bytes()
  const towns = townsIn(bytes)
  const text = (from: number, length: number) => new TextDecoder().decode(bytes.subarray(from, from + length))
  const found: Suggested[] = []
  for (const spot of spots) {
    await gently()
    let [nearestAt, leastM]: [number | null, number] = [null, MOST_M]
    for (const town of towns) {
      if (Math.abs(spot.lat - town.lat) * METRES_PER_DEGREE > leastM) continue
      const metres = distanceM(spot, town)
      if (metres > leastM) continue
      nearestAt = town.at
      leastM = metres
    }
    const at = nearestAt
    found.push(at === null ? null : { name: text(at + TOWN_BYTES, bytes[at + 10]!), country: text(at + 8, 2) })
  }
  return found
}

function townsIn(bytes: Uint8Array): (Spot & { readonly at: number })[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const towns: (Spot & { readonly at: number })[] = []
  for (let at = 0; at < bytes.length; at += TOWN_BYTES + bytes[at + 10]!) {
    towns.push({ lat: view.getInt32(at, true) / UNITS, lon: view.getInt32(at + 4, true) / UNITS, at })
  }
  return towns
}
