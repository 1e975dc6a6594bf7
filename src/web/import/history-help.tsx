import './history-help.css'

/** Where each service gives its export; names of menus are those of the services. */
const WAYS: readonly (readonly [string, string])[] = [
  ['Garmin', 'garmin.com/account › Data Management › Export Your Data. The ZIP arrives by email.'],
  ['Strava', 'Settings › My Account › Download or Delete Your Account › Request Your Archive.'],
  ['Apple Health', 'Health app › your picture › Export All Health Data.'],
  ['Polar Flow', 'account.polar.com › Download your data.'],
  ['adidas Running', 'Settings › Account › Export data.'],
  ['Runkeeper', 'runkeeper.com › Account settings › Export data.'],
  ['Nike Run Club', 'Ask Nike for a copy of your data. Drop its JSON files, or a ZIP of them.'],
  [
    'Health Connect',
    'Settings of the phone › Health Connect › Manage data › Backup and restore. Its ZIP is in your cloud storage.',
  ],
  ['FitTrackee, Endurain', 'Their own export.'],
  ['workout-tracker', 'Its file database.db, copied while it is stopped.'],
  ['GoldenCheetah', 'A ZIP of its activities folder.'],
  ['Anything else', 'A ZIP of FIT, GPX or TCX files, in any folders.'],
]

/** How to get the export of each service; it is dropped as it is. */
export function HistoryHelp() {
  return (
    <dl class="history-help stack gap-2 small">
      {WAYS.map(([name, way]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd class="muted">{way}</dd>
        </div>
      ))}
    </dl>
  )
}
