/**
 * Names for numbers in FIT files, as "name=number,number;…", one table per text, since objects would take 300 lines.
 * Numbers follow the profile of Garmin's FIT SDK 21; names are those of the makers, without regional variants.
 */

/** Sports other than running; `generic` and `all` are left out because they name no sport. */
export const SPORTS = `
cycling=2;transition=3;fitness equipment=4;swimming=5;basketball=6;soccer=7;tennis=8;american football=9;training=10;
walking=11;cross country skiing=12;alpine skiing=13;snowboarding=14;rowing=15;mountaineering=16;hiking=17;
multisport=18;paddling=19;flying=20;e-biking=21;motorcycling=22;boating=23;driving=24;golf=25;hang gliding=26;
horseback riding=27;hunting=28;fishing=29;inline skating=30;rock climbing=31;sailing=32;ice skating=33;sky diving=34;
snowshoeing=35;snowmobiling=36;stand up paddleboarding=37;surfing=38;wakeboarding=39;water skiing=40;kayaking=41;
rafting=42;windsurfing=43;kitesurfing=44;tactical=45;jumpmaster=46;boxing=47;floor climbing=48;baseball=49;diving=53;
shooting=56;winter sport=58;grinding=59;HIIT=62;video gaming=63;racket=64;wheelchair push walk=65;
wheelchair push run=66;meditation=67;para sport=68;disc golf=69;team sport=70;cricket=71;rugby=72;hockey=73;
lacrosse=74;volleyball=75;water tubing=76;wakesurfing=77;water sport=78;archery=79;mixed martial arts=80;
motor sports=81;snorkeling=82;dance=83;jump rope=84;pool apnea=85;mobility=86;geocaching=87;canoeing=88`

export const MANUFACTURERS = `
Garmin=1;Garmin=2;Echowell=12;Dynastream=15;Timex=16;Suunto=23;Wahoo=32;Citizen=36;Magellan=37;O-synce=38;Pioneer=48;
Epson=52;Mio=59;Geonaute=61;W-tek=64;Bkool=67;Sigma=70;TomTom=71;Wattbike=73;Moxy=76;Scosche=83;Woodway=85;Tacx=89;
Sound of Motion=94;Stryd=95;Technogym=111;Bryton=112;iGPSPORT=115;Polar=123;iFit=128;COROS=129;Decathlon=140;
TAG Heuer=142;Zwift=144;EZON=148;MYZONE=150;Lezyne=258;Zwift=260;Recon=262;Strava=265;Precor=266;Bryton=267;
Mio Magellan=272;Podoon=275;Life Time Fitness=276;Hammerhead=289;COROS=294;NURVV=300;WHOOP=305;Decathlon=310;
True Fitness=314;RGT Cycling=315;Nike=326;MyWhoosh=331;Runna=337;Zepp=339;Peloton=340;CARV=341;Tissot=342;Huawei=348;
Una Watch=351`

const GARMIN_PRODUCTS = `
Bounce 2=4745;D2 Air X10=4125;D2 Air X15=4944;D2 Air=2187;D2 Bravo=2262;D2 Bravo Titanium=2547;D2 Charlie=2819;
D2 Mach 1 Pro=4556;D2 Mach 2=4879;D2 Mach 2 Pro=5056;Descent=2859;Descent G1=4005,4132;Descent G2=4588;
Descent Mk2=3258,3702;Descent Mk2S=3542,3930;Descent Mk3=4222;Descent Mk3i=4223;Descent T1=3143;Descent T2=4442;
Edge 20=2238,2290;Edge 25=2147,2288,2289;Edge 130=2909,3092;Edge 130 Plus=3558,3813;Edge 200=1325,1555;
Edge 500=1036,1199,1213,1387,1422;Edge 510=1561,1742,1821,1918;Edge 520=2067,2260,2261;Edge 520 Plus=3112,3142;
Edge 530=3121,3349;Edge 540=4061;Edge 550=4633;Edge 800=1169,1333,1334,1386,1497;Edge 810=1567,1721,1822,1823;
Edge 820=2530,2599,2600,2628,2629,2630;Edge 830=3122,3350;Edge 840=4062;Edge 850=4634;
Edge 1000=1836,2052,2053,2070,2100,2274;Edge 1030=2713,2924;Edge 1030 Bontrager=3095;Edge 1030 Plus=3570,3812;
Edge 1040=3843,4305;Edge 1050=4440;Edge Explore=3011;Edge Explore 2=4169;Edge Explore 820=2531;
Edge Explore 1000=2204;Enduro=3638,3872;Enduro 2=4341;Enduro 3=4575;Epix=1988,2332,2457;Epix Gen 2=3943,3944;
Epix Gen 2 Pro 42=4312;Epix Gen 2 Pro 47=4313;Epix Gen 2 Pro 51=4314;Fenix=1551;Fenix 2=1967;
Fenix 3=2050,2188,2189,2293,2407,2408;Fenix 3 Chronos=2432,2675;Fenix 3 HR=2413,2473,2474,2475,2476,2477;
Fenix 5=2697,2796;Fenix 5 Plus=3110;Fenix 5S=2544,2797;Fenix 5S Plus=2900,3134;Fenix 5X=2604,2798;
Fenix 5X Plus=3111,3135;Fenix 6=3290,3515;Fenix 6S=3288,3513;Fenix 6 Sport=3289,3514;Fenix 6S Sport=3287,3512;
Fenix 6X=3291,3516;Fenix 7=3906,3909;Fenix 7 Pro Solar=4375,4595;Fenix 7S=3905,3908;Fenix 7S Pro Solar=4374;
Fenix 7X=3907,3910;Fenix 7X Pro Solar=4376;Fenix 8=4536;Fenix 8 Pro=4631;Fenix 8 Small=4534;Fenix 8 Solar=4532;
Fenix 8 Solar Large=4533;Fenix 9=5134;Fenix 9 43 mm=5133;Fenix 9 Pro 43 mm=4952;Fenix 9 Pro 47 mm=4953;
Fenix 9 Pro 51 mm=4954;Fenix 9 Pro Solar 47 mm=4955;Fenix 9 Pro Solar 51 mm=4956;Fenix E=4666;
Forerunner 10=1482,1688;Forerunner 15=1903,2061;Forerunner 25=2148;Forerunner 30=2891,2977;
Forerunner 35=2503,2650,2667,2668,2727,2814;Forerunner 45=3282,3469;Forerunner 50=782;Forerunner 55=3869,4033;
Forerunner 60=988;Forerunner 70=1436,4916;Forerunner 110=1124,1274;Forerunner 165=4432;Forerunner 165 Music=4433;
Forerunner 170=4815;Forerunner 170 Music=4814;Forerunner 210=1360;Forerunner 220=1632,1930,1931,2073,2174;
Forerunner 225=14,2153,2219;Forerunner 230=2157,2313;Forerunner 235=2396,2397,2431,2733,3144;
Forerunner 245=3076,3145;Forerunner 245 Music=3321,3077;Forerunner 255=3992;Forerunner 255 Music=3990;
Forerunner 255 Small=3993;Forerunner 255 Small Music=3991;Forerunner 265 Large=4257;Forerunner 265 Small=4258;
Forerunner 301=473,474,475,494;Forerunner 310XT=1018,1446;Forerunner 405=717,987;Forerunner 570 Large=4570;
Forerunner 570 Small=4574;Forerunner 610=1345,1410;Forerunner 620=1623,1928,1929,2072,2173;
Forerunner 630=2156,2310,2311;Forerunner 645=2886,3003;Forerunner 645 Music=2888,3004;
Forerunner 735XT=2158,2533,2534;Forerunner 745=3589,3794;Forerunner 910XT=1328,1537,1600,1664;
Forerunner 920XT=1765,2130,2131,2132;Forerunner 935=2691,2833;Forerunner 945=3113,3441;Forerunner 945 LTE=3652,3978;
Forerunner 955=4024;Forerunner 965=4315;Forerunner 970=4565;Foretrex 601=2769;Instinct 2=3888,4071;Instinct 2S=3889;
Instinct 2X=4394;Instinct 3 AMOLED 45 mm=4586;Instinct 3 AMOLED 50 mm=4587;Instinct 3 Solar 45 mm=4585;
Instinct 3 Solar 50 mm=4759;Instinct Crossover=4155;Instinct Crossover AMOLED=4678;Instinct E 40 mm=4583;
Instinct E 45 mm=4584;Instinct Esports=3126;Instinct Solar=3466;Legacy Captain Marvel=3500,3535;
Legacy Darth Vader=3499,3538;Legacy First Avenger=3501,3536;Legacy Rey=3498,3537;Lily=3615,3809;Lily 2=4380;
Lily Athlete=4477;MARQ Adventurer=3624,3648;MARQ Athlete=3251,3451;MARQ Aviator=3247,3421;MARQ Captain=3248,3448;
MARQ Commander=3249,3449;MARQ Driver=3246,3420;MARQ Expedition=3250,3450;MARQ Gen 2=4105;MARQ Gen 2 Aviator=4124;
MARQ Gen 2 Commander=4472;MARQ Golfer=3739,3850;Swim=1499;Swim 2=3405,3639;Tactix 7=4135;Tactix 8 AMOLED=4775;
Tactix 8 Solar=4776;Venu=3226;Venu 2=3703,3950;Venu 2 Plus=3851,4017;Venu 2S=3704,3949;Venu 3=4260;Venu 3S=4261;
Venu 4=4643;Venu 4S=4644;Venu Daimler=3737,3740;Venu Sq=3600,3837;Venu Sq 2=4115;Venu Sq 2 Music=4116;
Venu Sq Music=3596,3599;Venu X1=4603;Vivoactive=1907,2160;Vivoactive 3=2700;Vivoactive 3 Daimler=3473;
Vivoactive 3 Music=3163;Vivoactive 3 Music LTE=3066,2988;Vivoactive 3t=3446;Vivoactive 4 Large=3225,3388;
Vivoactive 4=3389;Vivoactive 4 Small=3224,3387;Vivoactive 5=4426;Vivoactive 6=4625;Vivoactive HR=2337,2497;
Vivofit=1837;Vivofit 2=2150;Vivofit 3=2406;Vivofit 4=2878;Vivofit Jr=2606;Vivomove=2368;Vivomove 3=3378,3422;
Vivomove 3 Premium=3308;Vivomove HR=2772,2945;Vivomove Sport=3982;Vivomove Trend=3983;Vivosmart=1956,2135,2294;
Vivosmart 2=2271;Vivosmart 3=2622,2831;Vivosmart 4=2927,3218;Vivosmart 5=4063;Vivosmart GPS HR=2347,2362;
Vivosmart HR=2348,2361;Vivosport=2623,2832`

/** Kinds of files by file_id.type; those that watches and their software write. */
export const FILE_KINDS = `
device=1;settings=2;sport settings=3;workout plan=5;course=6;schedules=7;weight=9;totals=10;goals=11;blood pressure=14;
monitoring=15,28,32;activity summary=20;segment=34;segment list=35`

const GARMIN = 1

/** @returns null for an unknown number */
export function productName(manufacturer: number, product: number): string | null {
  return manufacturer === GARMIN ? nameOf(GARMIN_PRODUCTS, product) : null
}

/** The name of a number; null: unknown. Searched in the text, since a file needs two of five hundred names. */
export function nameOf(table: string, number: number): string | null {
  return new RegExp(`(?:^|;)\\s*([^=;]+)=(?:\\d+,)*${number}(?![\\d])`).exec(table)?.[1] ?? null
}
