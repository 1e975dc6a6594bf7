import type { ArchiveCounts } from '../format/manifest.ts'

/** Text that explains the archive to a person who unpacks it years later. */
export function readme(
  counts: ArchiveCounts,
  lost: Readonly<Record<'lostRaw' | 'lostRawData' | 'lostMedia', ReadonlySet<string>>>,
): string {
  return [
    'This is a complete export of a running log, written by Harrier.',
    '',
    `It holds ${counts.workouts} workouts, ${counts.shoes} shoes and ${counts.mediaFiles} photos and videos.`,
    '',
    'How to restore it: open Harrier (or Tempo), sign in, and import this ZIP file as it is as an export archive, or send',
    'it with POST /workouts/import/export. What is there already is kept and skipped, so it does no harm to do so twice.',
    'What lay in the trash, and the history of changes, belong to the service and are not in here.',
    '',
    'manifest.json                                what was written when, and where each kind of data stands',
    'data/*.json                                  the data as UTF-8 JSON; distances in metres, times in UTC',
    'data/recordings.json, data/repairs.json      what watches and tables told of each workout, and what was repaired since',
    'data/goals.json                              goals of the runner, where there are any',
    'workouts/<workout id>/raw/                   the watch files as they were uploaded',
    'workouts/<workout id>/recordings/<id>/       those of further recordings of the same workout',
    'workouts/<workout id>/media/<media id>/      photos and videos',
    '',
    ...lostLines(
      'The original files of these workouts were not on the disk and are not in this archive:',
      lost.lostRaw,
    ),
    ...lostLines(
      'The raw data read out of the original files of these workouts was damaged and is left out:',
      lost.lostRawData,
    ),
    ...lostLines('The files of these photos and videos were not on the disk and are left out:', lost.lostMedia),
  ].join('\n')
}

function lostLines(title: string, ids: ReadonlySet<string>): string[] {
  return ids.size === 0 ? [] : [title, ...ids, '']
}
