import type { Static } from '@sinclair/typebox'
import { clock, hoursAndMinutes } from '../../engine/intervals/summary.ts'
import { quantities } from '../../library/quantities.ts'
import type { UnitPreference } from '../../library/settings.ts'
import { chartDrawing, mapDrawing } from './drawings.ts'
import { Html, html } from './html.ts'
import type { SharedView } from './schemas.ts'
import { STYLE } from './style.ts'

type View = Static<typeof SharedView>

const HASH = new Bun.CryptoHasher('sha256').update(STYLE).digest('base64')

/** Of pages that need no script, no cookie and no other server, and that nobody lists or keeps. */
export const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${HASH}'; img-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex, nofollow',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
} as const

/** The page of a shared run. @param path its own address @param expires `yyyy-MM-dd`; null: never */
export function sharedPage(
  view: View,
  { path, unit, expires }: { readonly path: string; readonly unit: UnitPreference; readonly expires: string | null },
): string {
  const { distance, climb, pace } = quantities(unit)
  const decimals = view.isTrimmed ? 1 : 2
  const about = distance(view.distanceM, decimals)
  const time = view.isTrimmed ? hoursAndMinutes(view.timeS) : clock(view.timeS)
  const title = view.name ?? 'Run'
  const figures = [
    ['Distance', about],
    ['Time', time],
    ...(view.paceS === null ? [] : [['Pace', pace(view.paceS)] as const]),
    ...(view.elevGainM === null ? [] : [['Climb', climb(view.elevGainM)] as const]),
    ...(view.avgHeartRateBpm === null ? [] : [['Heart rate', `${view.avgHeartRateBpm} bpm`] as const]),
  ] as const
  const main = html`<header><h1>${title}</h1><p class="muted">${dayText(view.date)}${view.time === null ? '' : `, ${view.time}`}</p></header>
<dl class="figures">${figures.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
${view.route && html`<section class="map">${mapDrawing(view.route.coordinates, quantities(unit))}</section>`}
${view.isTrimmed ? html`<p class="muted">Parts of this run are private: what you see here, numbers included, is the rest.</p>` : null}
${view.notes && html`<section><h2>Notes</h2><p class="notes">${view.notes}</p></section>`}
${charts(view, unit)}${splits(view, unit)}${photos(view, path)}`
  return written(title, { main, expires, description: `${about} in ${time} on ${dayText(view.date)}` })
}

/** What every address without a page answers. */
export function noPage(): string {
  const main = html`<header><h1>This link doesn’t work</h1><p class="muted">It may have expired or been withdrawn, or a part of it is missing.</p></header>`
  return written('Link doesn’t work', { main, expires: null, description: null })
}

function written(
  title: string,
  {
    main,
    expires,
    description,
  }: { readonly main: Html; readonly expires: string | null; readonly description: string | null },
): string {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow"><meta name="color-scheme" content="light dark"><title>${title}</title>
${description && html`<meta name="description" content="${description}"><meta property="og:title" content="${title}"><meta property="og:description" content="${description}">`}
<style>${new Html(STYLE)}</style></head>
<body><main>${main}</main>${description && html`<footer class="muted">Shared with Harrier${expires === null ? '' : ` until ${dayText(expires)}`}</footer>`}</body></html>
`.text
}

const MONTHS = 'January February March April May June July August September October November December'.split(' ')

/** `1 November 2025` */
function dayText(date: string): string {
  const [year, month, day] = date.split('-').map(Number)
  return `${day} ${MONTHS[month! - 1]} ${year}`
}

function charts({ series }: View, unit: UnitPreference): Html | null {
  if (series === null) return null
  const { climb, pace, unitM, name } = quantities(unit)
  const { distanceM, paceS, heartRateBpm, elevationM } = series
  const drawn = [
    { title: 'Pace', kind: 'pace', values: paceS, words: (value: number) => pace(value).replace(/ .*/, '') },
    { title: 'Heart rate', kind: 'heart', values: heartRateBpm, words: (value: number) => String(Math.round(value)) },
    { title: 'Elevation', kind: 'elevation', values: elevationM, words: climb },
  ] as const
  return html`${drawn.map(({ values, ...chart }) => {
    const drawing = values && distanceM && chartDrawing({ ...chart, values, distanceM, unitM, name })
    return drawing && html`<section class="chart">${drawing}</section>`
  })}`
}

function splits({ splits: all }: View, unit: UnitPreference): Html | null {
  if (all.length < 2) return null
  const { distance, pace, unitM, name } = quantities(unit)
  const slowest = Math.max(...all.map(({ paceS }) => paceS))
  return html`<section><h2>Splits</h2><table><thead><tr><th>${name}</th><td class="wide"></td><th>Pace</th><th>Time</th></tr></thead><tbody>${all.map(
    ({ distanceM, durationS, paceS }, k) =>
      html`<tr><td>${Math.abs(distanceM - unitM) < 1 ? k + 1 : distance(distanceM, 2).replace(/ .*/, '')}</td><td class="wide"><svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="bar" width="${Math.round((100 * paceS) / slowest)}" height="8"/></svg></td><td>${pace(paceS)}</td><td>${clock(durationS)}</td></tr>`,
  )}</tbody></table></section>`
}

function photos({ photos: all }: View, path: string): Html | null {
  if (all.length === 0) return null
  return html`<section><h2>Photos</h2><ul class="photos">${all.map(
    ({ caption }, k) =>
      html`<li><a href="${path}/photos/${k + 1}"><img loading="lazy" src="${path}/photos/${k + 1}" alt="${caption ?? `Photo ${k + 1}`}"></a>${caption && html`<p class="muted">${caption}</p>`}</li>`,
  )}</ul></section>`
}
