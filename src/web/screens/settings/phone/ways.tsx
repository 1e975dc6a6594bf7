import type { ComponentChildren } from 'preact'

/** A way to send runs from a phone to an address that contains a key. */
export interface AddressWay {
  /** Label of the key. */
  readonly label: string
  readonly title: string
  readonly about: string
  /** Steps after the address was created. */
  readonly steps: readonly ComponentChildren[]
  readonly after?: ComponentChildren
}

const Name = ({ children }: { readonly children: string }) => <strong>{children}</strong>

export const ADDRESS_WAYS: readonly AddressWay[] = [
  {
    label: 'iPhone Shortcut',
    title: 'iPhone: a Shortcut',
    about: 'Share a run from any app to a Shortcut of your own. Set up once, in four steps.',
    steps: [
      <>
        Bring the address onto the iPhone: point its camera at the code, hold the link and choose <Name>Copy</Name>. On
        the iPhone itself the button below the address does it.
      </>,
      <>
        In the app <Name>Shortcuts</Name> make a new one. In its details switch on <Name>Show in Share Sheet</Name> and
        let it receive files.
      </>,
      <>
        Add the action <Name>Get Contents of URL</Name> and paste the address. Method <Name>POST</Name>, request body{' '}
        <Name>Form</Name>, with one field of the type File called <code>file</code>: the Shortcut Input.
      </>,
      <>
        Name it Harrier. In your running app export or share a run as FIT, GPX or TCX, and choose <Name>Harrier</Name>.
      </>,
    ],
    after: (
      <>
        A Shortcut can also keep the key out of the address: <code>/workouts/import</code> in place of{' '}
        <code>/in/…</code>, and a header <code>Authorization</code> with <code>Bearer</code> and the key, which is what
        follows <code>/in/</code>.
      </>
    ),
  },
  {
    label: 'Health Auto Export',
    title: 'Health Auto Export',
    about: 'This app for the iPhone sends the workouts of Apple Health by itself, with heart rate and route.',
    steps: [
      <>Bring the address onto the iPhone: point its camera at the code and copy the link.</>,
      <>
        In Health Auto Export add an automation of the type <Name>REST API</Name> with the address as its URL, method{' '}
        <Name>POST</Name>, and no headers.
      </>,
      <>
        As data choose <Name>Workouts</Name> with route and workout metrics, format <Name>JSON</Name>, version 2.
      </>,
      <>
        Runs are taken, everything else is left out. What was sent before is recognised, and completed if it has more.
      </>,
    ],
  },
  {
    label: 'FitoTrack',
    title: 'FitoTrack',
    about: 'Sends every workout by itself when it is saved, with your comment as notes.',
    steps: [
      <>Bring the address onto the phone: point its camera at the code and copy the link.</>,
      <>
        In the settings of FitoTrack open the automatic export, choose workouts as GPX, and add the target{' '}
        <Name>HTTP POST</Name> with the address.
      </>,
      <>Save a run. Rides and walks are sent, too; Harrier refuses what is no run.</>,
    ],
  },
  {
    label: 'OpenTracks, Gadgetbridge',
    title: 'OpenTracks, Gadgetbridge and others',
    about: 'They write each run into a folder of the phone; an app for automations sends new files on.',
    steps: [
      <>In OpenTracks or Gadgetbridge switch on the export of finished runs as GPX or FIT into a folder.</>,
      <>
        In an app for automations (Tasker, MacroDroid, Automate or the like): for each new file in that folder, an HTTP
        request <Name>POST</Name> to the address, with the file as its body.
      </>,
      <>The same file twice does no harm: Harrier knows the runs that it has.</>,
    ],
    after: (
      <>
        Whatever sends a file to an address will do, such as <code>curl -T run.gpx {'<address>'}/run.gpx</code>. A
        single run goes by the share sheet, see Android.
      </>
    ),
  },
]
