// The theme part every presentation needs (ECMA-376 part 1, DrawingML): our colours, fonts that are everywhere, plain fills.

const namespace = 'http://schemas.openxmlformats.org/drawingml/2006/main';

const colours = {
  dk1: '1B2126',
  lt1: 'FFFFFF',
  dk2: '0B5E66',
  lt2: 'EEF3F4',
  accent1: '12938A',
  accent2: 'F2A51F',
  accent3: '3D82F0',
  accent4: 'C24D6A',
  accent5: '6A5ACD',
  accent6: '7A8A3A',
  hlink: '0B5FA5',
  folHlink: '6B4C8A',
} as const;

const font = (name: string): string => `<a:latin typeface="${name}"/><a:ea typeface=""/><a:cs typeface=""/>`;
const fill = '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>';
const line = (emu: number): string =>
  `<a:ln w="${emu}" cap="flat" cmpd="sng" algn="ctr">${fill}<a:prstDash val="solid"/></a:ln>`;
const plain = '<a:effectStyle><a:effectLst/></a:effectStyle>';

export const officeTheme =
  `<a:theme xmlns:a="${namespace}" name="DocTray"><a:themeElements><a:clrScheme name="DocTray">` +
  Object.entries(colours)
    .map(([name, colour]) => `<a:${name}><a:srgbClr val="${colour}"/></a:${name}>`)
    .join('') +
  `</a:clrScheme><a:fontScheme name="DocTray"><a:majorFont>${font('Calibri')}</a:majorFont><a:minorFont>${font('Calibri')}</a:minorFont></a:fontScheme>` +
  // three of each, as the schema asks
  `<a:fmtScheme name="DocTray"><a:fillStyleLst>${fill.repeat(3)}</a:fillStyleLst>` +
  `<a:lnStyleLst>${line(6350)}${line(12_700)}${line(19_050)}</a:lnStyleLst>` +
  `<a:effectStyleLst>${plain.repeat(3)}</a:effectStyleLst><a:bgFillStyleLst>${fill.repeat(3)}</a:bgFillStyleLst></a:fmtScheme>` +
  '</a:themeElements><a:objectDefaults/><a:extraClrSchemeLst/></a:theme>';
