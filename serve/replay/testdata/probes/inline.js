window.inlineSrc = document.currentScript && document.currentScript.src; window.inlineAttr = document.currentScript && document.currentScript.getAttribute("src");
