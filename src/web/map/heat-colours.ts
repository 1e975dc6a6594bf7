import type { Ink } from '../run/ink.ts'

type Colour = readonly [red: number, green: number, blue: number, alpha: number]

/** From one run to the most; on both grounds the way from the quiet to the bright end grows in contrast. */
const LIGHT: readonly Colour[] = [
  [236, 122, 40, 205],
  [229, 88, 30, 225],
  [178, 24, 72, 245],
  [74, 16, 74, 255],
]
const DARK: readonly Colour[] = [
  [150, 98, 222, 215],
  [214, 57, 115, 230],
  [255, 154, 60, 245],
  [255, 247, 205, 255],
]
/** Code of a pixel with one run. */
const ONE = 19
const MOST = 255

/** How many runs a code stands for: exact to 33, else within 4 %. */
export function runsOf(code: number): number {
  return Math.round(2 ** (code / ONE) - 1)
}

/** A colour for each code, as the four bytes of a pixel; the brightest is for `most`. */
export function heatTable(most: number, { isDark }: Pick<Ink, 'isDark'>): Uint32Array<ArrayBuffer> {
  const bytes = new Uint8Array(4 * (MOST + 1))
  for (let code = 1; code <= MOST; code += 1) {
    const share = most <= ONE ? 0 : Math.min(1, Math.max(0, (code - ONE) / (most - ONE)))
    bytes.set(colourAt(isDark ? DARK : LIGHT, share), 4 * code)
  }
  return new Uint32Array(bytes.buffer)
}

function colourAt(stops: readonly Colour[], share: number): number[] {
  const place = share * (stops.length - 1)
  const at = Math.min(stops.length - 2, Math.floor(place))
  const [from, to] = [stops[at]!, stops[at + 1]!]
  return from.map((part, k) => Math.round(part + (to[k]! - part) * (place - at)))
}

/** The scale of the map as CSS colours. */
export function heatRamp({ isDark }: Pick<Ink, 'isDark'>): string[] {
  return (isDark ? DARK : LIGHT).map(([red, green, blue]) => `rgb(${red} ${green} ${blue})`)
}
