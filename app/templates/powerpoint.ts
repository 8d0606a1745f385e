// A PowerPoint presentation (ECMA-376 part 1, PresentationML): a master, the two layouts most slides use, and one title slide.

import { openXmlPackage, relationships } from './package.ts';
import { officeTheme } from './theme.ts';

const namespaces =
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" ' +
  'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" ' +
  'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"';
const typeOf = (kind: string): string =>
  `application/vnd.openxmlformats-officedocument.presentationml.${kind}+xml`;

/** In English Metric Units, 914 400 an inch: a screen of 16 to 9, 13.33 inches wide. */
const width = 12_192_000;
const height = 6_858_000;

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

const titleBox: Box = { x: 838_200, y: 365_125, width: 10_515_600, height: 1_325_563 };
const bodyBox: Box = { x: 838_200, y: 1_825_625, width: 10_515_600, height: 4_351_338 };
const bigTitleBox: Box = { x: 1_524_000, y: 1_122_363, width: 9_144_000, height: 2_387_600 };
const subtitleBox: Box = { x: 1_524_000, y: 3_602_038, width: 9_144_000, height: 1_655_762 };

/** Slides are drawn for screens; paper counts only when they are printed, and is chosen then. */
export function powerPointPresentation(): Uint8Array {
  return openXmlPackage(
    {
      'ppt/presentation.xml': typeOf('presentation.main'),
      'ppt/slideMasters/slideMaster1.xml': typeOf('slideMaster'),
      'ppt/slideLayouts/slideLayout1.xml': typeOf('slideLayout'),
      'ppt/slideLayouts/slideLayout2.xml': typeOf('slideLayout'),
      'ppt/slides/slide1.xml': typeOf('slide'),
      'ppt/theme/theme1.xml': 'application/vnd.openxmlformats-officedocument.theme+xml',
    },
    [
      ['_rels/.rels', relationships([['officeDocument', 'ppt/presentation.xml']])],
      ['ppt/presentation.xml', presentation],
      [
        'ppt/_rels/presentation.xml.rels',
        relationships([
          ['slideMaster', 'slideMasters/slideMaster1.xml'],
          ['slide', 'slides/slide1.xml'],
          ['theme', 'theme/theme1.xml'],
        ]),
      ],
      ['ppt/slideMasters/slideMaster1.xml', master],
      [
        'ppt/slideMasters/_rels/slideMaster1.xml.rels',
        relationships([
          ['slideLayout', '../slideLayouts/slideLayout1.xml'],
          ['slideLayout', '../slideLayouts/slideLayout2.xml'],
          ['theme', '../theme/theme1.xml'],
        ]),
      ],
      ['ppt/slideLayouts/slideLayout1.xml', titleLayout],
      ['ppt/slideLayouts/_rels/slideLayout1.xml.rels', toMaster],
      ['ppt/slideLayouts/slideLayout2.xml', contentLayout],
      ['ppt/slideLayouts/_rels/slideLayout2.xml.rels', toMaster],
      ['ppt/slides/slide1.xml', slide],
      [
        'ppt/slides/_rels/slide1.xml.rels',
        relationships([['slideLayout', '../slideLayouts/slideLayout1.xml']]),
      ],
      ['ppt/theme/theme1.xml', officeTheme],
    ],
  );
}

const toMaster = relationships([['slideMaster', '../slideMasters/slideMaster1.xml']]);

const presentation =
  `<p:presentation ${namespaces} saveSubsetFonts="1"><p:sldMasterIdLst><p:sldMasterId id="2147483648" r:id="rId1"/></p:sldMasterIdLst>` +
  `<p:sldIdLst><p:sldId id="256" r:id="rId2"/></p:sldIdLst><p:sldSz cx="${width}" cy="${height}"/>` +
  `<p:notesSz cx="${height}" cy="9144000"/></p:presentation>`;

/** `placeholder`: the attributes of `p:ph`. A box that is left out is taken from what the placeholder stands on. */
function shape(
  id: number,
  name: string,
  placeholder: string,
  text: { box?: Box; body?: string; levels?: string; prompt?: string },
): string {
  const { box, body = '<a:bodyPr/>', levels = '', prompt } = text;
  const place =
    box === undefined
      ? ''
      : `<a:xfrm><a:off x="${box.x}" y="${box.y}"/><a:ext cx="${box.width}" cy="${box.height}"/></a:xfrm>`;
  const run = prompt === undefined ? '' : `<a:r><a:rPr/><a:t>${prompt}</a:t></a:r>`;
  return (
    `<p:sp><p:nvSpPr><p:cNvPr id="${id}" name="${name}"/><p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr><p:nvPr><p:ph ${placeholder}/></p:nvPr></p:nvSpPr>` +
    `<p:spPr>${place}${box === undefined ? '' : '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom>'}</p:spPr>` +
    `<p:txBody>${body}<a:lstStyle>${levels}</a:lstStyle><a:p>${run}</a:p></p:txBody></p:sp>`
  );
}

/** `name` is what the list of layouts shows. */
function slideData(shapes: string, name = '', background = ''): string {
  return (
    `<p:cSld${name === '' ? '' : ` name="${name}"`}>${background}<p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr>` +
    '<p:grpSpPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/><a:chOff x="0" y="0"/><a:chExt cx="0" cy="0"/></a:xfrm></p:grpSpPr>' +
    `${shapes}</p:spTree></p:cSld>`
  );
}

/** One level of text: `points` are hundredths of a point. */
function level(number: number, points: number, rest: string): string {
  const indent = (number - 1) * 457_200 + 228_600;
  return (
    `<a:lvl${number}pPr marL="${indent}" indent="-228600" algn="l"><a:lnSpc><a:spcPct val="90000"/></a:lnSpc><a:spcBef><a:spcPts val="${number === 1 ? 1000 : 500}"/></a:spcBef>` +
    `${rest}<a:defRPr sz="${points}" kern="1200"><a:solidFill><a:schemeClr val="tx1"/></a:solidFill><a:latin typeface="+mn-lt"/><a:ea typeface="+mn-ea"/><a:cs typeface="+mn-cs"/></a:defRPr></a:lvl${number}pPr>`
  );
}

const bullet = '<a:buFont typeface="Arial"/><a:buChar char="•"/>';
const fitted = '<a:bodyPr><a:normAutofit/></a:bodyPr>';

const master =
  `<p:sldMaster ${namespaces}>` +
  slideData(
    shape(2, 'Title Placeholder 1', 'type="title"', {
      box: titleBox,
      body: '<a:bodyPr vert="horz" lIns="91440" tIns="45720" rIns="91440" bIns="45720" rtlCol="0" anchor="ctr"><a:normAutofit/></a:bodyPr>',
      prompt: 'Title',
    }) +
      shape(3, 'Text Placeholder 2', 'type="body" idx="1"', {
        box: bodyBox,
        body: '<a:bodyPr vert="horz" lIns="91440" tIns="45720" rIns="91440" bIns="45720" rtlCol="0"><a:normAutofit/></a:bodyPr>',
        prompt: 'Text',
      }),
    '',
    '<p:bg><p:bgRef idx="1001"><a:schemeClr val="bg1"/></p:bgRef></p:bg>',
  ) +
  '<p:clrMap bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" accent1="accent1" accent2="accent2" accent3="accent3" accent4="accent4" accent5="accent5" accent6="accent6" hlink="hlink" folHlink="folHlink"/>' +
  '<p:sldLayoutIdLst><p:sldLayoutId id="2147483649" r:id="rId1"/><p:sldLayoutId id="2147483650" r:id="rId2"/></p:sldLayoutIdLst>' +
  '<p:txStyles><p:titleStyle><a:lvl1pPr algn="l"><a:lnSpc><a:spcPct val="90000"/></a:lnSpc><a:spcBef><a:spcPct val="0"/></a:spcBef><a:buNone/>' +
  '<a:defRPr sz="4400" kern="1200"><a:solidFill><a:schemeClr val="tx1"/></a:solidFill><a:latin typeface="+mj-lt"/><a:ea typeface="+mj-ea"/><a:cs typeface="+mj-cs"/></a:defRPr></a:lvl1pPr></p:titleStyle>' +
  `<p:bodyStyle>${[2800, 2400, 2000, 1800, 1800].map((points, index) => level(index + 1, points, bullet)).join('')}</p:bodyStyle>` +
  '<p:otherStyle><a:defPPr><a:defRPr/></a:defPPr></p:otherStyle></p:txStyles></p:sldMaster>';

const inherit = '<p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr>';

function centred(points: number): string {
  return `<a:lvl1pPr marL="0" indent="0" algn="ctr"><a:buNone/><a:defRPr sz="${points}"/></a:lvl1pPr>`;
}

const titleLayout =
  `<p:sldLayout ${namespaces} type="title" preserve="1">` +
  slideData(
    shape(2, 'Title 1', 'type="ctrTitle"', {
      box: bigTitleBox,
      body: '<a:bodyPr anchor="b"><a:normAutofit/></a:bodyPr>',
      levels: centred(6000),
      prompt: 'Title',
    }) +
      shape(3, 'Subtitle 2', 'type="subTitle" idx="1"', {
        box: subtitleBox,
        body: fitted,
        levels: centred(2400),
        prompt: 'Subtitle',
      }),
    'Title Slide',
  ) +
  `${inherit}</p:sldLayout>`;

const contentLayout =
  `<p:sldLayout ${namespaces} type="obj" preserve="1">` +
  slideData(
    shape(2, 'Title 1', 'type="title"', { prompt: 'Title' }) +
      shape(3, 'Content Placeholder 2', 'idx="1"', { prompt: 'Text' }),
    'Title and Content',
  ) +
  `${inherit}</p:sldLayout>`;

const slide =
  `<p:sld ${namespaces}>` +
  slideData(
    shape(2, 'Title 1', 'type="ctrTitle"', {}) + shape(3, 'Subtitle 2', 'type="subTitle" idx="1"', {}),
  ) +
  `${inherit}</p:sld>`;
