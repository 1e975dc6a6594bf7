// The shipped list of towns: which bytes hold which of them. Written by build/town-names.ts.

/** A town of GeoNames, degrees. */
export interface Town {
  readonly name: string
  /** ISO 3166-1. */
  readonly country: string
  readonly lat: number
  readonly lon: number
}

/** Degrees of latitude that one band holds, more than a town may be away. */
export const BAND_DEG = 0.5
export const BANDS = 180 / BAND_DEG
/** Where each band begins, and where the last one ends. */
export const HEAD_BYTES = 4 * (BANDS + 1)
/** Latitude and longitude in units of 1e-5 degrees, two letters of the country, bytes of the name; then the name. */
const TOWN_BYTES = 11
const UNITS = 1e5

export function bandOf(lat: number): number {
  return Math.min(BANDS - 1, Math.max(0, Math.floor((lat + 90) / BAND_DEG)))
}

export function encodeTowns(towns: readonly Town[]): Uint8Array<ArrayBuffer> {
  const bands = Array.from({ length: BANDS }, (): Uint8Array[] => [])
  for (const town of towns) bands[bandOf(town.lat)]!.push(encoded(town))
  const head = new DataView(new ArrayBuffer(HEAD_BYTES))
  let at = HEAD_BYTES
  for (const [band, held] of bands.entries()) {
    head.setUint32(4 * band, at, true)
    for (const { length } of held) at += length
  }
  head.setUint32(4 * BANDS, at, true)
  return new Uint8Array(Buffer.concat([new Uint8Array(head.buffer), ...bands.flat()]))
}

function encoded({ name, country, lat, lon }: Town): Uint8Array {
  const text = new TextEncoder().encode(name)
  const bytes = new Uint8Array(TOWN_BYTES + text.length)
  const view = new DataView(bytes.buffer)
  view.setInt32(0, Math.round(lat * UNITS), true)
  view.setInt32(4, Math.round(lon * UNITS), true)
  bytes.set(new TextEncoder().encode(country), 8)
  view.setUint8(10, text.length)
  bytes.set(text, TOWN_BYTES)
  return bytes
}

/** @param bytes of one or more bands */
export function* decodedTowns(bytes: Uint8Array): Generator<Town> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const text = (from: number, length: number) => new TextDecoder().decode(bytes.subarray(from, from + length))
  for (let at = 0; at < bytes.length; at += TOWN_BYTES + view.getUint8(at + 10)) {
    yield {
      name: text(at + TOWN_BYTES, view.getUint8(at + 10)),
      country: text(at + 8, 2),
      lat: view.getInt32(at, true) / UNITS,
      lon: view.getInt32(at + 4, true) / UNITS,
    }
  }
}
