import type { ArchiveCounts } from '../format/data-rows.ts'
import type { Lost } from './rows.ts'

/** Text that explains the archive to a person who unpacks it years later. */
export function readme(counts: ArchiveCounts, lost: Lost): string {
  return [
    `This is ${lost.unreadable.size === 0 ? 'a complete' : 'an incomplete'} export of a running log, written by Harrier.`,
    '',
    `It contains ${counts.workouts} workouts, ${counts.shoes} shoes and ${counts.mediaFiles} photos and videos.`,
    '',
    'How to restore it: open Harrier (or Tempo), sign in, and import this ZIP file as it is as an export archive, or send',
    'it with POST /workouts/import/export. Duplicates are skipped, so restoring twice is harmless.',
    'The trash and the history of changes are not included.',
    '',
    'manifest.json                                when it was written, and where each kind of data is',
    'data/*.json                                  the data as UTF-8 JSON; distances in metres, times in UTC',
    'data/library.json                            all that came in and was decided, which Harrier restores when no',
    '                                             data file was edited; docs/archive.md of Harrier describes it',
    'workouts/<workout id>/raw/                   the watch files as they were uploaded',
    'workouts/<workout id>/recordings/<id>/       those of further recordings of the same workout',
    'workouts/<workout id>/media/<media id>/      photos and videos',
    '',
    ...lostLines(
      'The original files of these workouts were not on the disk and are not in this archive:',
      lost.originals,
    ),
    ...lostLines('The raw data of the original files of these workouts was damaged and is not included:', lost.rawData),
    ...lostLines('The files of these photos and videos were not on the disk and are not in this archive:', lost.media),
    ...lostLines('The database was damaged. What could not be read is not in this archive:', lost.unreadable),
  ].join('\n')
}

function lostLines(title: string, ids: ReadonlySet<string>): string[] {
  return ids.size === 0 ? [] : [title, ...ids, '']
}
