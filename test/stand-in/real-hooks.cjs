// `globalThis.__standin` on real Electron: what a test does in place of the desktop, and what the app asked the desktop to do. Loaded with
// `-r` before the app by launch.ts. CommonJS, because Electron doesn't strip types.
//
// Links, files and settings of the desktop are only recorded, so a test run opens no browser and changes no login items. Trays,
// notifications and power blockers are recorded and real.

/* oxlint-disable import/no-commonjs, typescript/no-require-imports */

const { existsSync } = require('node:fs');

/** Functions of Electron's own objects are on prototypes, and some are read-only there. */
function replace(object, name, value) {
  Object.defineProperty(object, name, { value, configurable: true, writable: true });
}

/** Calls `before` with the object and the arguments, then Electron's own method. */
function watch(object, name, before) {
  const own = object[name];
  replace(object, name, function watched(...args) {
    before(this, args);
    return own.apply(this, args);
  });
}

function createEvent() {
  const event = { defaultPrevented: false, preventDefault: () => void (event.defaultPrevented = true) };
  return event;
}

function watchTrays({ Tray, nativeImage }) {
  /** The paths of images, which Electron doesn't keep. */
  const paths = new WeakMap();
  const createFromPath = nativeImage.createFromPath.bind(nativeImage);
  replace(nativeImage, 'createFromPath', (path) => {
    const image = createFromPath(path);
    paths.set(image, path);
    return image;
  });

  const all = new Map();
  const looksOf = (tray) => {
    const known = all.get(tray);
    if (known !== undefined) return known;
    const looks = { tray, image: undefined, toolTip: '', menu: null, isDestroyed: false };
    all.set(tray, looks);
    return looks;
  };
  watch(Tray.prototype, 'setImage', (tray, [image]) => {
    looksOf(tray).image = typeof image === 'string' ? image : paths.get(image);
  });
  watch(Tray.prototype, 'setToolTip', (tray, [text]) => void (looksOf(tray).toolTip = text));
  watch(Tray.prototype, 'setContextMenu', (tray, [menu]) => void (looksOf(tray).menu = menu));
  watch(Tray.prototype, 'destroy', (tray) => void (looksOf(tray).isDestroyed = true));
  return () => [...all.values()];
}

function watchNotifications({ Notification }) {
  const shown = [];
  const isSupported = Notification.isSupported.bind(Notification);
  const show = Notification.prototype.show;
  // Also on a Linux computer without a notification service, such as one with Xvfb.
  replace(Notification, 'isSupported', () => true);
  replace(Notification.prototype, 'show', function watched() {
    const entry = { notification: this, title: this.title, body: this.body, isClosed: false };
    this.once('close', () => void (entry.isClosed = true));
    shown.push(entry);
    if (isSupported()) show.call(this);
    else setImmediate(() => this.emit('show', createEvent()));
  });
  return shown;
}

function watchPower({ powerMonitor, powerSaveBlocker }) {
  const blockers = new Set();
  const start = powerSaveBlocker.start.bind(powerSaveBlocker);
  replace(powerSaveBlocker, 'start', (type) => {
    const id = start(type);
    blockers.add(id);
    return id;
  });
  const stop = powerSaveBlocker.stop.bind(powerSaveBlocker);
  replace(powerSaveBlocker, 'stop', (id) => {
    blockers.delete(id);
    return stop(id);
  });
  const events = ['suspend', 'resume', 'shutdown', 'on-ac', 'on-battery', 'unlock-screen'];
  return {
    emit(name) {
      if (!events.includes(name)) throw new Error(`powerMonitor has no event '${name}'`);
      if (name.startsWith('on-')) replace(powerMonitor, 'isOnBatteryPower', () => name === 'on-battery');
      const event = createEvent();
      powerMonitor.emit(name, event);
      return { isPrevented: event.defaultPrevented };
    },
    blockers: () => [...blockers].map((id) => ({ id })),
  };
}

function recordDeeds({ app, shell }) {
  const deeds = [];
  replace(shell, 'openExternal', async (url) => {
    deeds.push({ kind: 'open-external', url: new URL(url).href });
  });
  replace(shell, 'openPath', async (path) => {
    deeds.push({ kind: 'open-path', path });
    return existsSync(path) ? '' : 'No such file or directory';
  });
  replace(shell, 'showItemInFolder', (path) => void deeds.push({ kind: 'show-item-in-folder', path }));
  replace(app, 'setAsDefaultProtocolClient', (scheme, path, args) => {
    deeds.push({ kind: 'default-protocol-client', scheme, path, args });
    return true;
  });
  replace(app, 'setLoginItemSettings', (settings) => void deeds.push({ kind: 'login-item', settings }));
  return deeds;
}

/** @returns what hooks.ts declares as StandInHooks */
function createRealHooks(electron) {
  const only = (name) => () => {
    throw new Error(
      `__standin.${name} works only on the stand-in. Add the test to notOnRealElectron in test/run.ts.`,
    );
  };
  return {
    deeds: recordDeeds(electron),
    trays: watchTrays(electron),
    notifications: watchNotifications(electron),
    power: watchPower(electron),
    setPathForFile: only('setPathForFile'),
    get chromiumPid() {
      return only('chromiumPid')();
    },
  };
}

// Playwright's loader, which runs first, has removed its own arguments. The app must see only its arguments, too.
const position = process.argv.indexOf(__filename);
if (process.versions.electron !== undefined && position > 0) {
  process.argv.splice(position - 1, 2);
  replace(globalThis, '__standin', createRealHooks(require('electron')));
}

module.exports = { createRealHooks };
