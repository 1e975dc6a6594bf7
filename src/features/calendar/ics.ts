import { isoTime } from '../../engine/calendar/timestamp.ts'
import { isoDate } from '../../engine/calendar/weeks.ts'

/** An event of a calendar: from one moment to another, or a whole day. */
export interface CalendarEvent {
  /** The same whenever the event is written. */
  readonly uid: string
  readonly summary: string
  readonly when: { readonly startMs: number; readonly endMs: number } | { readonly day: number }
}

/** A calendar as a file (RFC 5545). @param madeAtMs when it is written */
export function icsText(events: readonly CalendarEvent[], madeAtMs: number): string {
  const stamp = `DTSTAMP:${utc(madeAtMs)}`
  const lines = [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Harrier//Harrier//EN', 'X-WR-CALNAME:Harrier'],
    ...events.flatMap(({ uid, summary, when }) => [
      ...['BEGIN:VEVENT', `UID:${uid}`, stamp, `SUMMARY:${escaped(summary)}`],
      ...('day' in when
        ? // without an end it is that day (3.6.1), and a day with a goal is a free one
          [`DTSTART;VALUE=DATE:${date(when.day)}`, 'TRANSP:TRANSPARENT']
        : [`DTSTART:${utc(when.startMs)}`, `DTEND:${utc(when.endMs)}`]),
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${folded(line)}\r\n`).join('')
}

/** `20251101T070000Z` */
function utc(ms: number): string {
  return `${isoTime(1000 * Math.floor(ms / 1000)).replace(/[-:]/g, '')}`
}

function date(day: number): string {
  return isoDate(day).replaceAll('-', '')
}

/** A text as 3.3.11 has it; other control characters would end the file. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r\n?|\n/g, '\\n')
    .replace(/\p{Cc}/gu, ' ')
}

const MOST_BYTES = 75

/** A line cut where it has more than 75 bytes (3.1), never within a character. */
function folded(line: string): string {
  let [text, bytes] = ['', 0]
  for (const character of line) {
    const size = Buffer.byteLength(character)
    if (bytes + size > MOST_BYTES) {
      text += '\r\n '
      bytes = 1
    }
    text += character
    bytes += size
  }
  return text
}
